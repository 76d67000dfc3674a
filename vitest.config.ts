import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts'],
    reporters: ['default', './scripts/closing-line.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
