import { performance } from 'node:perf_hooks';

/** The thread that answers requests, as its work is measured and spread. */
export interface Processor {
  /** Milliseconds that never go back. */
  nowMs(): number;
  /** Runs `run` so long from now; 0: in the next turn of the event loop. */
  after(waitMs: number, run: () => void): void;
  /** Milliseconds in which its event loop had nothing to do so far. */
  idleMs(): number;
  /** Which part of the last time its event loop was busy, from 0 to 1. */
  loopUse(): number;
}

/** The use of the loop is read so often at most. */
const lookMs = 200;

/** The thread that this runs on. */
export function ownProcessor(): Processor {
  let last = performance.eventLoopUtilization();
  let lastMs = performance.now();
  let use = 0;
  return {
    nowMs: performance.now.bind(performance),
    after(waitMs, run) {
      if (waitMs === 0) setImmediate(run);
      else setTimeout(run, waitMs).unref();
    },
    idleMs: () => performance.eventLoopUtilization().idle,
    loopUse() {
      const nowMs = performance.now();
      if (nowMs - lastMs < lookMs) return use;
      const next = performance.eventLoopUtilization();
      use = performance.eventLoopUtilization(next, last).utilization;
      last = next;
      lastMs = nowMs;
      return use;
    },
  };
}
