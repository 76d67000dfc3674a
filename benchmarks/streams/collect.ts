import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

/** What a process says of itself. */
export interface Collected {
  /** What it keeps, without garbage. */
  readonly memoryBytes: number;
  /** How late its event loop came to what was due, since it was last asked: 99 of 100 were less. */
  readonly loopMs: number;
}

// Loaded into a process that is measured: on SIGUSR2 it writes into the file that the environment
// names.

const { BENCH_COLLECT_FILE: file } = process.env;
if (isMainThread && file !== undefined) {
  const resolution = 10;
  const loop = monitorEventLoopDelay({ resolution });
  loop.enable();
  process.on('SIGUSR2', () => {
    const loopMs = Math.max(0, loop.percentile(99) / 1e6 - resolution);
    globalThis.gc?.();
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    const collected: Collected = { memoryBytes: heapUsed + external, loopMs };
    // Whole as soon as it is there.
    writeFileSync(`${file}.part`, JSON.stringify(collected));
    renameSync(`${file}.part`, file);
    loop.reset();
  });
}
