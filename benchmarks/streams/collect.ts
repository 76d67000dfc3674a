import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

// Loaded into the gateway's process: on SIGUSR2 it writes what the process keeps, without garbage,
// into the file that the environment names.

const { BENCH_KEPT_FILE: file } = process.env;
if (isMainThread && file !== undefined) {
  process.on('SIGUSR2', () => {
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(file, String(heapUsed + external));
  });
}
