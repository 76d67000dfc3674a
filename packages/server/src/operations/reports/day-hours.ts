import { formatUsd } from '../../lib/money.ts';
import type { HourMark } from '../../store/queries/usage-marks.ts';
import type { Overview } from '../documents/today.ts';

type Total = Pick<HourMark, 'calls' | 'errors' | 'cost'>;

export interface DaySoFarByHour {
  readonly day: string;
  readonly dayBefore: string;
  readonly nowMs: number;
  readonly marks: readonly HourMark[];
  readonly total: Total;
  /** Keyed by the start of the hour, in ms. */
  readonly refused: ReadonlyMap<number, number>;
}

const hourMs = 3_600_000;
const nothing: Total = { calls: 0, errors: 0, cost: 0n };

/**
 * The hours add up to the total. An hour without a mark counts in the next hour with one.
 * Corrections lower a day's cost, so no hour shows more than the remaining total.
 */
export function hoursOf(so: DaySoFarByHour): Overview['hours'] {
  const { day, marks, total, refused } = so;
  const dayMs = Date.parse(day);
  const own = marks.filter((mark) => mark.day === day);
  const ends = [total];
  for (let hour = currentHour(so); hour > 0; hour--) {
    const mark = own.findLast((each) => each.hour <= hour) ?? nothing;
    ends.unshift(smaller(mark, ends[0] ?? total));
  }
  return ends.map((end, hour) => {
    const start = ends[hour - 1] ?? nothing;
    return {
      ...{ hour, spentUsd: formatUsd(end.cost - start.cost) },
      ...{ calls: end.calls - start.calls, errors: end.errors - start.errors },
      refused: refused.get(dayMs + hour * hourMs) ?? 0,
    };
  });
}

/** Null in a day's first hour, and without a mark of this hour on both days. */
export function yesterdayOf(so: DaySoFarByHour): Overview['yesterday'] {
  const hour = currentHour(so);
  const markOf = (day: string) => so.marks.find((mark) => mark.day === day && mark.hour === hour);
  const [today, before] = [markOf(so.day), markOf(so.dayBefore)];
  if (today === undefined || before === undefined) return null;
  return {
    until: new Date(Date.parse(so.day) + hour * hourMs).toISOString(),
    ...{ todayUsd: formatUsd(today.cost), todayCalls: today.calls },
    ...{ yesterdayUsd: formatUsd(before.cost), yesterdayCalls: before.calls },
  };
}

function currentHour({ day, nowMs }: Pick<DaySoFarByHour, 'day' | 'nowMs'>): number {
  return Math.floor((nowMs - Date.parse(day)) / hourMs);
}

function smaller(one: Total, other: Total): Total {
  return {
    calls: Math.min(one.calls, other.calls),
    errors: Math.min(one.errors, other.errors),
    cost: one.cost < other.cost ? one.cost : other.cost,
  };
}
