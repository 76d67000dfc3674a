import type { BudgetSpan } from '../../domain/budget.ts';
import { nextUtcDayMs, nextUtcMonthMs, utcDayOf, utcMonthOf } from '../../lib/clock.ts';

/** How far clocks may differ: a period that others may be in already, or still, counts as well. */
const clocksMs = 10 * 60_000;

/** A day or a month of a budget. */
export interface Period {
  readonly period: string;
  readonly firstDay: string;
  /** The first day that is not of it. */
  readonly endDay: string;
}

/** The periods that calls may be admitted in around a moment. */
export function periodsAround(span: BudgetSpan, nowMs: number): readonly Period[] {
  const around = [nowMs - clocksMs, nowMs, nowMs + clocksMs].map((ms) => periodAt(span, ms));
  return [...new Map(around.map((period) => [period.period, period])).values()];
}

/** The period that a moment is in. */
export function periodAt(span: BudgetSpan, ms: number): Period {
  const period = span === 'day' ? utcDayOf(ms) : utcMonthOf(ms);
  const firstDay = span === 'day' ? period : utcDayOf(Date.parse(`${period}-01`));
  const startMs = Date.parse(firstDay);
  const endMs = span === 'day' ? nextUtcDayMs(startMs) : nextUtcMonthMs(startMs);
  return { period, firstDay, endDay: utcDayOf(endMs) };
}
