import type { Worker } from 'node:worker_threads';
import { systemClock, type Timer } from '../lib/clock.ts';

/** Processor milliseconds since the worker's start; rejects after its end. */
export type CpuMsOf = (worker: Worker) => Promise<number>;

export const cpuMsOf: CpuMsOf = async (worker) => {
  // Node has this method from 24.6 on; without it, wall time counts.
  if (!('cpuUsage' in worker)) return systemClock.monotonic();
  const { user, system } = await worker.cpuUsage();
  return (user + system) / 1_000;
};

const checkAgainMs = 20;

export interface CpuLimit extends Timer {
  /** Processor time at its start; undefined when unavailable. */
  readonly sinceMs: Promise<number | undefined>;
}

/**
 * `onOver` gets the total after `limitMs` of processor time. On a busy machine a minute may contain
 * one second of it.
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
  // The thread cannot have used more time than has passed.
  let timer = systemClock.after(limitMs, check);
  return {
    sinceMs: since,
    cancel() {
      isCancelled = true;
      timer.cancel();
    },
  };

  async function check() {
    const [before, now] = await Promise.all([since, spentMs()]);
    if (isCancelled || before === undefined || now === undefined) return;
    const remainingMs = limitMs - (now - before);
    if (remainingMs <= 0) return onOver(now);
    timer = systemClock.after(Math.max(remainingMs, checkAgainMs), check);
  }

  function spentMs(): Promise<number | undefined> {
    return parts.cpuMsOf(worker).catch(() => undefined);
  }
}
