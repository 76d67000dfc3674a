import { utcDayOf } from '../../lib/clock.ts';
import type { Observer } from '../../lib/observer.ts';
import type { AlertEvent } from '../events.ts';

/** Missing prices and rejected accounts that this process has seen. Each is sent once a day. */
export interface Mismatches {
  readonly observer: Observer;
  /** Returns events that were not sent yet. */
  events(nowMs: number): readonly AlertEvent[];
  markSent(event: AlertEvent): void;
}

export function createMismatches(): Mismatches {
  const sentDays = new Map<string, string>();
  const waiting = new Map<string, Sighting>();
  const meet = (sighting: Sighting) => void waiting.set(keyOf(sighting), sighting);
  return {
    observer: {
      priceMismatched: ({ platform, field, reason }) => {
        const data = { platform, field, reason };
        meet({ type: 'price.mismatch', subject: platform, mark: field, data });
      },
      attemptEnded: ({ platform, model, status, account }) => {
        if (account === undefined) return;
        const data = { platform, model, reason: account, status: status ?? null };
        meet({ type: 'platform.account', subject: platform, mark: account, data });
      },
    },
    events(nowMs) {
      const period = utcDayOf(nowMs);
      const due = [...waiting].filter(([key]) => sentDays.get(key) !== period);
      // Only calls of the next day may raise the event again.
      for (const key of waiting.keys()) if (sentDays.get(key) === period) waiting.delete(key);
      return due.map(([, { data, ...sighting }]) => ({
        ...{ ...sighting, period, atMs: nowMs },
        data: { ...data, day: period },
      }));
    },
    markSent(event) {
      const { period } = event;
      const key = keyOf(event);
      sentDays.set(key, period);
      waiting.delete(key);
    },
  };
}

type Sighting = Pick<AlertEvent, 'type' | 'subject' | 'mark' | 'data'>;

/** Platform names contain no line break. */
function keyOf({ type, subject, mark }: Pick<AlertEvent, 'type' | 'subject' | 'mark'>): string {
  return `${type}\n${subject}\n${mark}`;
}
