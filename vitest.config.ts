import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Process-heavy suites (services, kill -9) start real programs; the core's own run in milliseconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
