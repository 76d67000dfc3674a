import { utcDayOf } from '../../lib/clock.ts';
import type { MismatchedPrice, Observer } from '../../lib/observer.ts';
import type { AlertEvent } from '../events.ts';

/** What platforms report that a row's price does not have, as this process knows it. */
export interface Mismatches {
  readonly observer: Observer;
  /** Those that are not told yet. */
  events(nowMs: number): readonly AlertEvent[];
  /** An event that it answered is in the store. */
  told(event: AlertEvent): void;
}

/** Mismatches of a process that has met none. Its names are few, so that what is kept is too. */
export function createMismatches(): Mismatches {
  /** The last day on which each was told, by platform and field. */
  const toldDays = new Map<string, string>();
  const waiting = new Map<string, MismatchedPrice>();
  return {
    observer: {
      priceMismatched: (mismatch) => {
        waiting.set(keyOf(mismatch.platform, mismatch.field), mismatch);
      },
    },
    events(nowMs) {
      const period = utcDayOf(nowMs);
      const due = [...waiting].filter(([key]) => toldDays.get(key) !== period);
      // The next day begins with the calls of that day.
      for (const key of waiting.keys()) if (toldDays.get(key) === period) waiting.delete(key);
      return due.map(([, { platform, field, reason }]) => ({
        ...{ type: 'price.mismatch', subject: platform, period, mark: field, atMs: nowMs },
        data: { platform, field, reason, day: period },
      }));
    },
    told({ subject, mark, period }) {
      const key = keyOf(subject, mark);
      toldDays.set(key, period);
      waiting.delete(key);
    },
  };
}

/** No platform has a line break in its name. */
function keyOf(platform: string, field: string): string {
  return `${platform}\n${field}`;
}
