import { utcDayOf } from '../lib/clock.ts';
import type { Attempt, CallRecord } from './rows.ts';
import { splitsOf } from './splits.ts';

/** What corrections of one day changed in the calls of a day of an earlier month. */
export interface MonthCorrection {
  /** The UTC day on which they were made. */
  readonly madeDay: string;
  /** The day of the calls. */
  readonly day: string;
  readonly app: string;
  readonly model: string;
  readonly platform: string;
  /** Signed, as are the parts of it: see `UsageSums`. */
  readonly cost: bigint;
  readonly estimated: bigint;
  readonly corrected: bigint;
  readonly unpriced: bigint;
}

/** A call's record, and its attempts where they are rows of their own. */
export interface Booked {
  readonly call: CallRecord;
  readonly attempts: readonly Attempt[];
}

/**
 * What a correction changes in a month that was over when it was made, by model and platform. Its
 * amounts are those of reports, so a report less these is that month as it was at its end.
 */
export function monthCorrections(
  madeAt: number,
  before: Booked,
  after: Booked,
): readonly MonthCorrection[] {
  const madeDay = utcDayOf(madeAt);
  if (madeDay.slice(0, 7) <= before.call.day.slice(0, 7)) return [];
  const sums = new Map<string, MonthCorrection>();
  const parts = [
    ...splitsOf(before.call, before.attempts, -1),
    ...splitsOf(after.call, after.attempts, 1),
  ];
  for (const { day, app, model, platform, cost, estimated, corrected, unpriced } of parts) {
    const part = { madeDay, day, app, model, platform, cost, estimated, corrected, unpriced };
    const key = JSON.stringify([model, platform]);
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? part : addCorrections(sum, part));
  }
  return [...sums.values()].filter(
    ({ cost, estimated, corrected, unpriced }) =>
      cost !== 0n || estimated !== 0n || corrected !== 0n || unpriced !== 0n,
  );
}

/** The first with the amounts of both. */
export function addCorrections(one: MonthCorrection, other: MonthCorrection): MonthCorrection {
  return {
    ...one,
    cost: one.cost + other.cost,
    estimated: one.estimated + other.estimated,
    corrected: one.corrected + other.corrected,
    unpriced: one.unpriced + other.unpriced,
  };
}
