import { lastDayOfMonth, utcDayOf } from '../lib/clock.ts';
import { AdminError } from './admin-error.ts';

/** Days of UTC, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** As long as sums of users are kept. */
const daysMax = 400;

/**
 * The day, the month, or the days from one to another; this month where nothing is named. Throws an
 * AdminError for more than one of them, and for a range that is none.
 */
export function dayRange(
  named: { readonly [Name in 'day' | 'month' | 'from' | 'to']?: string | undefined },
  nowMs: number,
): DayRange {
  const { day, month, from, to } = named;
  if ([day, month, from ?? to].filter((one) => one !== undefined).length > 1) {
    throw bad('month', 'give only one of day, month, or from with to');
  }
  if (day !== undefined) return { from: day, to: day };
  if (from === undefined && to === undefined)
    return monthRange(month ?? utcDayOf(nowMs).slice(0, 7));
  if (from === undefined || to === undefined) {
    throw bad(from === undefined ? 'from' : 'to', 'from and to go together');
  }
  if (from > to) throw bad('to', 'to is before from');
  if (Date.parse(to) - Date.parse(from) < daysMax * 86_400_000) return { from, to };
  throw bad('to', `a range has at most ${daysMax} days`);
}

/** Every day of a month. */
export function monthRange(month: string): DayRange {
  return { from: `${month}-01`, to: lastDayOfMonth(month) };
}

function bad(field: string, message: string): AdminError {
  return new AdminError(message, { isBadValue: true, field });
}
