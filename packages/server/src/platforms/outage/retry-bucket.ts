import type { Clock } from '../../lib/clock.ts';

/**
 * Retries that a platform can be asked for: in an outage, three attempts of a client times three of
 * ours must not become nine for every call.
 */
export interface RetryBucket {
  /** Takes one retry; false when there is none left. */
  take(): boolean;
  /** How often a retry was taken, and how often there was none. */
  counts(): { readonly taken: number; readonly denied: number };
}

/** A full bucket. Source: reliability, "load and overload". */
const retriesMax = 100;
/** Ten a second come back. */
const refillMs = 100;

/** A full bucket. It has no timer: what has come back is known when it is asked. */
export function createRetryBucket({ clock }: { clock: Pick<Clock, 'monotonic'> }): RetryBucket {
  /** The moment at which the bucket is full again; each retry puts it off. */
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
