import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { CHROMIUM } from './test/harness/chromium.ts';

// They bring the home of their data themselves, or have none: a run on PostgreSQL would say nothing new of them.
const SAME_ON_EVERY_HOME = [
  'test/browser/**',
  'test/deploy/**',
  'test/door.test.ts',
  'test/embedded.test.ts',
  'test/first-start.test.ts',
  'test/import/shared-feeds.test.ts',
  'test/missing-files.test.ts',
  'test/pglite-internals.test.ts',
  'test/security/dependencies.test.ts',
  'test/statement-limits.test.ts',
];

export default defineConfig({
  // Node gives libraries this copy of graphql; Vite by itself would give our sources the other, whose classes are not the same.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    // prepare.ts says so.
    exclude: [
      ...configDefaults.exclude,
      ...(CHROMIUM === undefined ? ['test/browser/**'] : []),
      ...(process.env.TEST_DATABASE_URL === undefined ? [] : SAME_ON_EVERY_HOME),
    ],
    globalSetup: ['test/harness/prepare.ts'],
    pool: 'forks',
    // Much of the time goes by waiting for processes to start, stop and come back.
    maxWorkers: availableParallelism() + 1,
    // An embedded database takes seconds to make on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
