import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** A little below the default rate limit of a key: 50 a second, and a burst of 100. */
const ratePerSecond = 49;
const burst = 90;

/** Resolves when the key may be used again, so the rate limit rejects none of its requests. */
export function createPlanPace(now: () => number = () => performance.now()) {
  const gapMs = 1_000 / ratePerSecond;
  let fullAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = now();
    fullAtMs = Math.max(fullAtMs, nowMs - burst * gapMs) + gapMs;
    if (fullAtMs > nowMs) await sleep(fullAtMs - nowMs);
  };
}
