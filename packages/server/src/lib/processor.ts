import { performance } from 'node:perf_hooks';

export interface Processor {
  /** Never goes back. */
  nowMs(): number;
  /** 0: in the next turn of the event loop. */
  after(waitMs: number, run: () => void): void;
  idleMs(): number;
  /** Recent busy share of the event loop, 0 to 1. */
  loopUse(): number;
}

const sampleMs = 200;

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
      if (nowMs - lastMs < sampleMs) return use;
      const next = performance.eventLoopUtilization();
      use = performance.eventLoopUtilization(next, last).utilization;
      last = next;
      lastMs = nowMs;
      return use;
    },
  };
}
