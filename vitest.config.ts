import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { pollMs, waitMsMax } from './harness/until.ts';
import { iconPlugin } from './packages/console/scripts/icon-plugin.ts';

// Sources run as they are: each process and each thread of a test would strip and compile them
// again, which is most of its startup. Node stores the compiled sources here.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node');

export default defineConfig({
  plugins: [iconPlugin],
  test: {
    globalSetup: './packages/server/test/support/postgres-run.ts',
    reporters: ['default', './scripts/closing-line.ts'],
    // Files share a worker, to load their imports once: a third of the time. No file may leave
    // anything behind.
    isolate: false,
    // Half of the time is waiting for processes, disks and sockets.
    maxWorkers: availableParallelism() * 2,
    // For a test that hangs: even on a busy machine, no test takes this long.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: waitMsMax, interval: pollMs } },
    // The tiers of CONTRIBUTING.md: `npm test` runs the first one, `npm run test:rest` the other.
    projects: [
      {
        extends: true,
        test: {
          name: 'first',
          include: [
            'packages/*/test/**/*.test.{ts,tsx}',
            'examples/*.test.ts',
            'scripts/**/*.test.ts',
            'benchmarks/*/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: { name: 'rest', include: ['{packages/*,examples}/test-full/**/*.test.ts'] },
      },
    ],
  },
});
