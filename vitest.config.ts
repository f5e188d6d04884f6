import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/prepare.ts'],
    pool: 'forks',
    // An embedded database takes seconds to make on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
