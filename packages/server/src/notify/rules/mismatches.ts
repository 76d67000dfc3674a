import { utcDayOf } from '../../lib/clock.ts';
import type { Observer } from '../../lib/observer.ts';
import type { AlertEvent } from '../events.ts';

/**
 * What platforms report that operators must know, as this process knows it: a price that a row
 * does not have, and an account that is rejected. Each is sent once a day.
 */
export interface Mismatches {
  readonly observer: Observer;
  /** Those that are not told yet. */
  events(nowMs: number): readonly AlertEvent[];
  /** An event that it answered is in the store. */
  told(event: AlertEvent): void;
}

/** Mismatches of a process that has met none. Its names are few, so that what is kept is too. */
export function createMismatches(): Mismatches {
  /** The last day on which each was told, by type, platform and mark. */
  const toldDays = new Map<string, string>();
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
      const due = [...waiting].filter(([key]) => toldDays.get(key) !== period);
      // The next day begins with the calls of that day.
      for (const key of waiting.keys()) if (toldDays.get(key) === period) waiting.delete(key);
      return due.map(([, { data, ...sighting }]) => ({
        ...{ ...sighting, period, atMs: nowMs },
        data: { ...data, day: period },
      }));
    },
    told(event) {
      const { period } = event;
      const key = keyOf(event);
      toldDays.set(key, period);
      waiting.delete(key);
    },
  };
}

/** Something that is to be sent, on whatever day. */
type Sighting = Pick<AlertEvent, 'type' | 'subject' | 'mark' | 'data'>;

/** No platform has a line break in its name. */
function keyOf({ type, subject, mark }: Pick<AlertEvent, 'type' | 'subject' | 'mark'>): string {
  return `${type}\n${subject}\n${mark}`;
}
