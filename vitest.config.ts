import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Files share their worker's modules: loading the CDK and the SDK anew for each would be a fifth of the time. No test
    // may leave anything behind in a module.
    isolate: false,
    // Vitest leaves one core to others by default: of two, that is half.
    maxWorkers: '100%',
    // Process-heavy suites (services, kill -9) start real programs; the core's own run in milliseconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
