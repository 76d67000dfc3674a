import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { isMainThread } from 'node:worker_threads';

export interface Collected {
  /** Its memory without garbage. */
  readonly memoryBytes: number;
  /** The delay of its event loop since the last request: the 99th percentile. */
  readonly loopMs: number;
}

// Loaded into a measured process: on SIGUSR2 it writes into the file that the environment names.

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
    // The rename makes the file complete as soon as it exists.
    writeFileSync(`${file}.part`, JSON.stringify(collected));
    renameSync(`${file}.part`, file);
    loop.reset();
  });
}
