import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { CHROMIUM } from './test/harness/chromium.ts';

// They bring their database themselves, or have none: a run on another server would say nothing new of them.
const OWN_DATABASE = [
  'test/browser/**',
  'test/deploy/**',
  'test/embedded/**',
  'test/faults/disk-full.test.ts',
  'test/first-start.test.ts',
  'test/missing-files.test.ts',
];

// Tests of functions, or of programs that get their own folder: a run on another server would repeat them unchanged.
const USES_DATABASE =
  /harness\/(?:browser|database|gateway|home|load|postgres-server|service|soak)\b|inject\(|TEST_\w+_URL/;
const withoutDatabase = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => join('test', file))
  .filter((file) => !USES_DATABASE.test(readFileSync(file, 'utf8')));

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
      ...(process.env.TEST_DATABASE_URL === undefined ? [] : [...OWN_DATABASE, ...withoutDatabase]),
    ],
    globalSetup: ['test/harness/prepare.ts'],
    setupFiles: ['test/harness/each-file.ts'],
    pool: 'forks',
    // A worker loads and compiles the sources once for all its files, so they take a third less time (docs/contributing.md).
    isolate: false,
    restoreMocks: true,
    // Much of the time goes by waiting for processes to start, stop and come back.
    maxWorkers: availableParallelism() + 1,
    // A server takes seconds to start on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
