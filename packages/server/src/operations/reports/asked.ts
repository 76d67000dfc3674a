import { lastDayOfMonth } from '../../lib/clock.ts';
import { orNearest } from '../../lib/nearest.ts';
import { type Dimension, dimensionOf, dimensions } from '../../reports/dimensions.ts';
import { type Field, FieldFault, type Input, listed, optional } from '../field.ts';
import { InputError } from '../read-input.ts';
import { day, month } from '../time-fields.ts';

// What reports are asked for by.

/** Days of UTC, both included. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The days: a month, or the first and the last. */
export const rangeFields = {
  month: optional(month('a UTC month such as 2026-11')),
  from: optional(day('the first UTC day; with to')),
  to: optional(day('the last UTC day')),
};

/** Values that do not go together, the field whose value is refused then, and a predicate of it. */
export type Faults = readonly (readonly [isFault: boolean, field: string, predicate: string])[];

/** Throws an InputError of the first fault. */
export function refuseFaults(faults: Faults): void {
  const fault = faults.find(([isFault]) => isFault);
  if (fault !== undefined) throw new InputError(fault[1], fault[2]);
}

/** The faults of a range. */
export function rangeFaults({ month: named, from, to }: Input<typeof rangeFields>): Faults {
  const isOpen = (from === undefined) !== (to === undefined);
  return [
    [named !== undefined && (from ?? to) !== undefined, 'month', 'goes without from and to'],
    [isOpen, from === undefined ? 'from' : 'to', 'is missing: from and to go together'],
    [from !== undefined && to !== undefined && from > to, 'to', `must not be before ${from}`],
  ];
}

/** As long as sums of users are kept. */
const daysMax = 400;

/** The faults of a request's range, whose reading somebody waits for. */
export function requestFaults(input: Input<typeof rangeFields>): Faults {
  const { from, to } = rangeOf(input, 0);
  const isLong = Date.parse(to) - Date.parse(from) >= daysMax * 86_400_000;
  return [...rangeFaults(input), [isLong, 'to', `must be of a range of at most ${daysMax} days`]];
}

/** The days that are asked for; this month where nothing is named. */
export function rangeOf(
  { month: named, from, to }: Input<typeof rangeFields>,
  nowMs: number,
): DayRange {
  if (from !== undefined && to !== undefined) return { from, to };
  const of = named ?? new Date(nowMs).toISOString().slice(0, 7);
  return { from: `${of}-01`, to: lastDayOfMonth(of) };
}

/** By what it is split. A user is one of an app: two apps may have the same name for two people. */
export function splits(most: number): Field<readonly Dimension[]> {
  const about = `${dimensions.join(', ')} or tag:NAME, with commas between them`;
  return {
    ...listed({ type: 'string', minLength: 1, maxLength: 200 }, about, 'names'),
    decode(checked) {
      const by = [checked].flat().map((name) => dimensionNamed(String(name)));
      const all = by.includes('user') && !by.includes('app') ? (['app', ...by] as const) : by;
      if (all.length <= most) return all;
      throw new FieldFault(`takes at most ${most} names; it has ${all.join(', ')}`);
    },
  };
}

function dimensionNamed(name: string): Dimension {
  const found = dimensionOf(name);
  if (found !== undefined) return found;
  throw new FieldFault(
    `has ${JSON.stringify(name)}, which is none of ${orNearest(name, dimensions)}`,
  );
}
