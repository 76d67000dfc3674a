import { lastDayOfMonth, utcDayOf } from '../../lib/clock.ts';
import { optional } from './field.ts';
import { InputError } from './read-input.ts';
import { day, month } from './time-fields.ts';

/** UTC days, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** A month, or the first and last day. */
export const rangeFields = {
  month: optional(month('UTC month, for example 2026-11')),
  from: optional(day('first UTC day; requires to')),
  to: optional(day('last UTC day')),
};

type RangeInput = { readonly [Name in keyof typeof rangeFields]?: string | undefined };

/** Invalid combinations: the rejected field, and a predicate about it. */
export type Faults = readonly (readonly [isFault: boolean, field: string, predicate: string])[];

/** Throws an InputError for the first fault. */
export function refuseFaults(faults: Faults): void {
  const fault = faults.find(([isFault]) => isFault);
  if (fault !== undefined) throw new InputError(fault[1], fault[2]);
}

export function rangeFaults({ month: named, from, to }: RangeInput): Faults {
  const isOpen = (from === undefined) !== (to === undefined);
  return [
    [
      named !== undefined && (from ?? to) !== undefined,
      'month',
      'cannot be combined with from and to',
    ],
    [isOpen, from === undefined ? 'from' : 'to', 'is missing; from and to are required together'],
    [from !== undefined && to !== undefined && from > to, 'to', `must not be before ${from}`],
  ];
}

const daysMax = 400;

/** Limits the range, since a caller waits for the response. */
export function requestFaults(input: RangeInput): Faults {
  const { from, to } = rangeOf(input, 0);
  const isLong = Date.parse(to) - Date.parse(from) >= daysMax * 86_400_000;
  return [...rangeFaults(input), [isLong, 'to', `must end a range of at most ${daysMax} days`]];
}

export function rangeOf({ month: named, from, to }: RangeInput, nowMs: number): DayRange {
  if (from !== undefined && to !== undefined) return { from, to };
  const month = named ?? utcDayOf(nowMs).slice(0, 7);
  return { from: `${month}-01`, to: lastDayOfMonth(month) };
}
