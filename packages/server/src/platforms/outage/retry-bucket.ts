import type { Clock } from '../../lib/clock.ts';

/** In an outage, three client attempts times three of ours must not become nine per call. */
export interface RetryBucket {
  take(): boolean;
  counts(): { readonly taken: number; readonly denied: number };
}

/** Source: reliability, "load and overload". */
const retriesMax = 100;
/** Ten a second. */
const refillMs = 100;

export function createRetryBucket({ clock }: { clock: Pick<Clock, 'monotonic'> }): RetryBucket {
  /** When the bucket is full again; each retry delays it. */
  let fullAtMs = 0;
  let taken = 0;
  let denied = 0;
  return { take, counts: () => ({ taken, denied }) };

  function take(): boolean {
    const nowMs = clock.monotonic();
    const laterMs = Math.max(fullAtMs, nowMs) + refillMs;
    if (laterMs - nowMs > retriesMax * refillMs) {
      denied += 1;
      return false;
    }
    fullAtMs = laterMs;
    taken += 1;
    return true;
  }
}
