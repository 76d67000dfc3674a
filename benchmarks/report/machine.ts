import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { median } from './rows.ts';

const syncs = 100;

/**
 * The machine of the measurement: processor, memory, and how long a folder's disk takes to sync.
 */
export function describeMachine(folder: string): string {
  const [first] = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const parts = [
    `Node ${process.version}`,
    `${cpus().length} × ${first?.model}`,
    `${gibibytes} GiB`,
    `Linux ${release()}`,
    `write and fdatasync of 4 kB ${syncMs(folder).toFixed(2)} ms`,
  ];
  return parts.join(', ');
}

/** The median time until a write to the end of a file is on the disk. */
function syncMs(folder: string): number {
  const file = openSync(join(folder, 'sync'), 'w');
  const page = Buffer.alloc(4_096, 1);
  const times = Array.from({ length: syncs }, () => {
    const startedMs = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    return performance.now() - startedMs;
  });
  closeSync(file);
  return median(times);
}
