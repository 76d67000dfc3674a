import { utcDayOf } from '../lib/clock.ts';
import type { Attempt, CallRecord } from './rows.ts';
import { splitsOf } from './splits.ts';

/** Changes by corrections of one day to calls of a day of an earlier month. */
export interface MonthCorrection {
  /** UTC. */
  readonly madeDay: string;
  readonly day: string;
  readonly app: string;
  readonly model: string;
  readonly platform: string;
  readonly calls: number;
  readonly errors: number;
  /** Signed, like its parts; see `UsageSums`. */
  readonly cost: bigint;
  readonly estimated: bigint;
  readonly corrected: bigint;
  readonly unpriced: bigint;
}

export interface BookedCall {
  readonly call: CallRecord;
  readonly attempts: readonly Attempt[];
}

/**
 * Changes in a month that was over when they were made. A report minus these shows the month as it
 * was at its end. `before` is undefined for a call booked late.
 */
export function monthCorrections(
  madeAt: number,
  before: BookedCall | undefined,
  after: BookedCall,
): readonly MonthCorrection[] {
  const madeDay = utcDayOf(madeAt);
  if (madeDay.slice(0, 7) <= after.call.day.slice(0, 7)) return [];
  const sums = new Map<string, MonthCorrection>();
  const subtracted = before === undefined ? [] : splitsOf(before.call, before.attempts, -1);
  for (const split of [...subtracted, ...splitsOf(after.call, after.attempts, 1)]) {
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

type Amounts = Pick<
  MonthCorrection,
  'calls' | 'errors' | 'cost' | 'estimated' | 'corrected' | 'unpriced'
>;

/** `sign` −1 subtracts. */
export function addCorrections<T extends Amounts>(one: T, other: Amounts, sign: 1 | -1 = 1): T {
  const money = BigInt(sign);
  return {
    ...one,
    calls: one.calls + other.calls * sign,
    errors: one.errors + other.errors * sign,
    cost: one.cost + other.cost * money,
    estimated: one.estimated + other.estimated * money,
    corrected: one.corrected + other.corrected * money,
    unpriced: one.unpriced + other.unpriced * money,
  };
}
