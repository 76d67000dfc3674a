import { readFileSync } from 'node:fs';

/** The peak memory of a process by the kernel's count, in MB; 0 if it ended. */
export function peakMegabytesOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_000);
  } catch {
    return 0;
  }
}
