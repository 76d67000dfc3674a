import type { BudgetSpan } from '../../domain/budget.ts';
import { nextUtcDayMs, nextUtcMonthMs, utcDayOf, utcMonthOf } from '../../lib/clock.ts';

/** Clocks differ: a period counts if other processes may already, or still, be in it. */
const clocksMs = 10 * 60_000;

export interface Period {
  readonly period: string;
  readonly firstDay: string;
  /** Exclusive. */
  readonly endDay: string;
}

/** Periods that may admit calls around then. */
export function periodsAround(span: BudgetSpan, nowMs: number): readonly Period[] {
  const around = [nowMs - clocksMs, nowMs, nowMs + clocksMs].map((ms) => periodAt(span, ms));
  return [...new Map(around.map((period) => [period.period, period])).values()];
}

export function periodAt(span: BudgetSpan, ms: number): Period {
  const period = span === 'day' ? utcDayOf(ms) : utcMonthOf(ms);
  const firstDay = span === 'day' ? period : utcDayOf(Date.parse(`${period}-01`));
  const startMs = Date.parse(firstDay);
  const endMs = span === 'day' ? nextUtcDayMs(startMs) : nextUtcMonthMs(startMs);
  return { period, firstDay, endDay: utcDayOf(endMs) };
}
