import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The CDK takes longer to load than most of the tests do.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
