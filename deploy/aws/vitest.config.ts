import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Loading the CDK takes longer than most of the tests.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
