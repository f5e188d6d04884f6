import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { CHROMIUM } from './test/harness/chromium.ts';

export default defineConfig({
  // Node gives libraries this copy of graphql; Vite by itself would give our sources the other, whose classes are not the same.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    // prepare.ts says so.
    exclude: [
      ...configDefaults.exclude,
      ...(CHROMIUM === undefined ? ['test/browser/**'] : []),
      ...(process.env.TEST_DISTRIBUTED === '1' ? [] : ['test/distributed/**']),
    ],
    globalSetup: ['test/harness/prepare.ts'],
    setupFiles: ['test/harness/each-file.ts'],
    pool: 'forks',
    // A worker loads and compiles the sources once for all its files, so they take a third less time (docs/contributing.md).
    isolate: false,
    restoreMocks: true,
    // Much of the time goes by waiting for processes to start, stop and come back.
    maxWorkers: availableParallelism() + 1,
    // A server takes seconds to start on a busy machine. Tests in test/fuzz take longer the more cases they try.
    testTimeout: 300_000 * Math.max(1, Number(process.env.FUZZ_RUNS ?? 1)),
    hookTimeout: 300_000,
  },
});
