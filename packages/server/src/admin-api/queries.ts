import Type from 'typebox';
import { lastDayOfMonth } from '../lib/clock.ts';
import { ConsoleError } from '../operations/console-error.ts';

// What queries of routes are made of: each field is a text.

/** A name of anything: an app, a key, a user, a model. */
export const name = Type.String({ minLength: 1, maxLength: 200 });

/** A UTC day. */
export const dayText = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d$',
  rule: 'a UTC day such as 2026-11-21',
});

/** A UTC month. */
export const monthText = Type.String({
  pattern: '^\\d{4}-\\d\\d$',
  rule: 'a UTC month such as 2026-11',
});

/** A moment, or a UTC day for its beginning. */
export const instantText = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\d(T[\\d:.]+Z)?$',
  rule: 'a UTC day such as 2026-11-21, or a time such as 2026-11-21T18:00:00Z',
});

/** What is or is not. */
export const flagText = Type.Enum(['true', 'false']);

/** How many items a page has at most. */
export const limitText = Type.String({
  pattern: '^[1-9]\\d{0,2}$',
  rule: 'a whole number from 1 to 200',
});

const pageDefault = 50;
const pageMax = 200;
/** As long as sums of users are kept. */
const daysMax = 400;

/** A page's size. Throws INVALID above 200. */
export function limitOf(text: string | undefined): number {
  const limit = text === undefined ? pageDefault : Number(text);
  if (limit <= pageMax) return limit;
  throw new ConsoleError('INVALID', `limit is at most ${pageMax}`, { field: 'limit' });
}

/** Epoch milliseconds; undefined where nothing is named. Throws INVALID for what is no moment. */
export function instantOf(text: string | undefined, field: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return ms;
  throw new ConsoleError('INVALID', `${field} is no moment: ${text}`, { field });
}

/** Days of UTC, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The days of a month or from one to another; this month where nothing is named. */
export function rangeOf(
  asked: { readonly from?: string; readonly to?: string; readonly month?: string },
  nowMs: number,
): DayRange {
  const { from, to, month } = asked;
  if (month !== undefined || (from === undefined && to === undefined)) {
    if (from !== undefined || to !== undefined) {
      throw new ConsoleError('INVALID', 'name month, or from and to', { field: 'month' });
    }
    return monthRange(month ?? new Date(nowMs).toISOString().slice(0, 7));
  }
  if (from === undefined || to === undefined) {
    throw new ConsoleError('INVALID', 'from and to go together', { field: from ? 'to' : 'from' });
  }
  const range = { from: realDay(from, 'from'), to: realDay(to, 'to') };
  if (range.from > range.to)
    throw new ConsoleError('INVALID', 'to is before from', { field: 'to' });
  if (Date.parse(to) - Date.parse(from) >= daysMax * 86_400_000) {
    throw new ConsoleError('INVALID', `a range has at most ${daysMax} days`, { field: 'to' });
  }
  return range;
}

/** Every day of a month. */
function monthRange(month: string): DayRange {
  return { from: realDay(`${month}-01`, 'month'), to: lastDayOfMonth(month) };
}

function realDay(text: string, field: string): string {
  const ms = Date.parse(text);
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)) return text;
  throw new ConsoleError('INVALID', `${field} is no day of the calendar: ${text}`, { field });
}
