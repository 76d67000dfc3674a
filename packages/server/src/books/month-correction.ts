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
  /** Those that an operator has booked, since they were lost. */
  readonly calls: number;
  readonly errors: number;
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
 * amounts are those of reports, so a report less these is that month as it was at its end. `before`
 * is undefined for a call that an operator books late.
 */
export function monthCorrections(
  madeAt: number,
  before: Booked | undefined,
  after: Booked,
): readonly MonthCorrection[] {
  const madeDay = utcDayOf(madeAt);
  if (madeDay.slice(0, 7) <= after.call.day.slice(0, 7)) return [];
  const sums = new Map<string, MonthCorrection>();
  const taken = before === undefined ? [] : splitsOf(before.call, before.attempts, -1);
  for (const split of [...taken, ...splitsOf(after.call, after.attempts, 1)]) {
    const { day, app, model, platform, ...amounts } = split;
    const { calls, errors, cost, estimated, corrected, unpriced } = amounts;
    const name = { madeDay, day, app, model, platform };
    const part = { ...name, calls, errors, cost, estimated, corrected, unpriced };
    const key = JSON.stringify([model, platform]);
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? part : addCorrections(sum, part));
  }
  return [...sums.values()].filter(isSomething);
}

function isSomething({ calls, errors, cost, estimated, corrected, unpriced }: MonthCorrection) {
  const isAmount = [cost, estimated, corrected, unpriced].some((amount) => amount !== 0n);
  return isAmount || calls !== 0 || errors !== 0;
}

/** The first with the amounts of both. */
export function addCorrections(one: MonthCorrection, other: MonthCorrection): MonthCorrection {
  return {
    ...one,
    calls: one.calls + other.calls,
    errors: one.errors + other.errors,
    cost: one.cost + other.cost,
    estimated: one.estimated + other.estimated,
    corrected: one.corrected + other.corrected,
    unpriced: one.unpriced + other.unpriced,
  };
}
