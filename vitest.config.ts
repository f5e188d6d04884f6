import { configDefaults, defineConfig } from 'vitest/config';
import { CHROMIUM } from './test/harness/chromium.ts';

export default defineConfig({
  // Node gives libraries this copy of graphql; Vite by itself would give our sources the other, whose classes are not the same.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    // prepare.ts says so.
    exclude: [...configDefaults.exclude, ...(CHROMIUM === undefined ? ['test/browser/**'] : [])],
    globalSetup: ['test/harness/prepare.ts'],
    pool: 'forks',
    // An embedded database takes seconds to make on a busy machine.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
