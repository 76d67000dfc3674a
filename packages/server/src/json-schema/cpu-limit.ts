import type { Worker } from 'node:worker_threads';
import { systemClock, type Timer } from '../lib/clock.ts';

/** Milliseconds of a processor that a thread has taken since it began; rejects once it is gone. */
export type CpuMsOf = (worker: Worker) => Promise<number>;

/** As the system counts them, whatever the thread is doing. */
export const cpuMsOf: CpuMsOf = async (worker) => {
  // Node 24 has it from 24.6 on; before, all that passes counts.
  if (!('cpuUsage' in worker)) return systemClock.monotonic();
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
};

/** However little is left, a thread is not asked more often than this. */
const lookAgainMs = 20;

/** A limit that runs, and from where it counts. */
export interface CpuLimit extends Timer {
  /** What the thread had taken when it began; undefined when it could not be asked. */
  readonly sinceMs: Promise<number | undefined>;
}

/**
 * Runs `onOver`, with all that it has taken, once a thread has worked for `limitMs` from now on.
 * What counts is the time that it had a processor: on a busy machine a minute may hold a second.
 */
export function limitCpu(parts: {
  readonly worker: Worker;
  readonly limitMs: number;
  readonly cpuMsOf: CpuMsOf;
  readonly onOver: (cpuMs: number) => void;
}): CpuLimit {
  const { worker, limitMs, onOver } = parts;
  let isCancelled = false;
  const since = spentMs();
  // It cannot have worked for longer than has passed.
  let timer = systemClock.after(limitMs, look);
  return {
    sinceMs: since,
    cancel() {
      isCancelled = true;
      timer.cancel();
    },
  };

  async function look() {
    const [before, now] = await Promise.all([since, spentMs()]);
    if (isCancelled || before === undefined || now === undefined) return;
    const leftMs = limitMs - (now - before);
    if (leftMs <= 0) return onOver(now);
    timer = systemClock.after(Math.max(leftMs, lookAgainMs), look);
  }

  /** A thread that is gone has nothing left to limit: its end is told by its `exit`. */
  function spentMs(): Promise<number | undefined> {
    return parts.cpuMsOf(worker).catch(() => undefined);
  }
}
