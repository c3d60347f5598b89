import { defineConfig } from 'vitest/config';

/** The suites of `npm test` and those that need a real service: started by test/services/run.ts alone. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/services/**/*.check.ts'],
    isolate: false,
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Real services answer in their own time; what is waited for still has to come.
    expect: { poll: { timeout: 10_000 } },
  },
});
