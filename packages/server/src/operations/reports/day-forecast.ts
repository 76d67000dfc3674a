import { utcDayOf } from '../../lib/clock.ts';
import { formatUsd } from '../../lib/money.ts';
import { selectMarkSums } from '../../store/queries/usage-marks.ts';
import type { AdminContext } from '../context/context.ts';
import type { Curve, Curves } from '../context/live-state.ts';
import type { DayForecast, Overview } from '../documents/today.ts';

export interface DaySoFar {
  readonly dayMs: number;
  readonly nowMs: number;
  readonly spent: bigint;
  readonly cap: bigint | undefined;
  /** Costs of similar days; empty without marks. */
  readonly curve: Curve;
  /** The kind of days, such as `weekdays`. */
  readonly like: string;
  /** A disabled app spends nothing more. */
  readonly isEnabled: boolean;
  /** Undefined where the budget is not used up, or not yet recorded as used up. */
  readonly usedUpMs: number | undefined;
}

const hourMs = 3_600_000;
const dayLengthMs = 24 * hourMs;
const daysMin = 3;

/**
 * Extrapolates from similar days; linearly if there are too few, or if little is usually spent by
 * this time. Excludes reservations: they are maximum costs.
 */
export function dayForecastOf(day: DaySoFar): DayForecast {
  const { dayMs, spent, cap } = day;
  if (!day.isEnabled) {
    return { exhaustedAt: null, endOfDayUsd: formatUsd(spent), basis: 'the app is disabled' };
  }
  if (spent === 0n) return { exhaustedAt: null, endOfDayUsd: '0', basis: 'no spending yet' };
  const course = courseOf(day);
  const elapsed = elapsedMsOf(day);
  const usual = course.at(elapsed);
  const byMidnight = (spent * course.whole) / usual;
  const same = { endOfDayUsd: formatUsd(byMidnight), basis: course.basis };
  if (cap === undefined) return { exhaustedAt: null, ...same };
  if (spent >= cap) return { exhaustedAt: usedUpSince(day), ...same };
  if (byMidnight <= cap) return { exhaustedAt: null, ...same };
  // Bisection: the course never falls, and its end exceeds the budget.
  let [from, to] = [elapsed, dayLengthMs];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    if (spent * course.at(middle) >= cap * usual) to = middle;
    else from = middle;
  }
  return { exhaustedAt: new Date(dayMs + to).toISOString(), ...same };
}

/** The recorded time at which spending reached the budget; never the time of the query. */
export function usedUpSince({
  spent,
  cap,
  usedUpMs,
}: Pick<DaySoFar, 'spent' | 'cap' | 'usedUpMs'>): string | null {
  if (cap === undefined || spent < cap || usedUpMs === undefined) return null;
  return new Date(usedUpMs).toISOString();
}

/** The sum of all apps at the end of each later hour. */
export function forecastOf(days: readonly DaySoFar[]): Overview['forecast'] {
  const spending = days.filter(({ spent }) => spent !== 0n);
  const [first] = spending;
  if (first === undefined) return [];
  const expected = spending.map(expectedBy);
  const from = Math.floor((first.nowMs - first.dayMs) / hourMs);
  return Array.from({ length: 24 - from }, (_, index) => {
    const hour = from + index + 1;
    const sum = expected.reduce((all, by) => all + by(hour * hourMs), 0n);
    return { hour, spentUsd: formatUsd(sum) };
  });
}

function expectedBy(day: DaySoFar): (elapsedMs: number) => bigint {
  if (!day.isEnabled) return () => day.spent;
  const course = courseOf(day);
  const usual = course.at(elapsedMsOf(day));
  return (by) => (day.spent * (by === dayLengthMs ? course.whole : course.at(by))) / usual;
}

function elapsedMsOf({ dayMs, nowMs }: Pick<DaySoFar, 'dayMs' | 'nowMs'>): number {
  return Math.min(Math.max(nowMs - dayMs, 1), dayLengthMs);
}

interface Course {
  /** Usual spending up to a time of day; above 0. */
  at(elapsedMs: number): bigint;
  readonly whole: bigint;
  readonly basis: string;
}

function courseOf({ curve, like, dayMs, nowMs }: DaySoFar): Course {
  const whole = curve.find(({ hour }) => hour === 24);
  const known = curve.filter(({ days }) => days === whole?.days);
  const usual = (elapsedMs: number) => between([{ hour: 0, cost: 0n }, ...known], elapsedMs);
  const isKnown = whole !== undefined && whole.days >= daysMin;
  // Less than 1 % of a usual day predicts too little of the rest.
  if (isKnown && usual(nowMs - dayMs) * 100n >= whole.cost && whole.cost > 0n) {
    const basis = `based on the rest of the day in the last ${whole.days} ${like}`;
    return { at: (elapsedMs) => usual(elapsedMs), whole: whole.cost, basis };
  }
  const why = isKnown
    ? 'little is usually spent before this hour'
    : `fewer than ${daysMin} ${like} have data`;
  const basis = `linear extrapolation of today: ${why}`;
  return { at: (elapsedMs) => BigInt(elapsedMs), whole: BigInt(dayLengthMs), basis };
}

function between(
  marks: readonly { readonly hour: number; readonly cost: bigint }[],
  elapsedMs: number,
): bigint {
  const next = marks.findIndex(({ hour }) => hour * hourMs >= elapsedMs && hour > 0);
  const [to, from] = [marks[next], marks[next - 1]];
  if (to === undefined || from === undefined) return 0n;
  const width = BigInt((to.hour - from.hour) * hourMs);
  return from.cost + ((to.cost - from.cost) * BigInt(elapsedMs - from.hour * hourMs)) / width;
}

export function daysLike(dayMs: number): { readonly days: readonly string[]; like: string } {
  const isRest = (ms: number) => [0, 6].includes(new Date(ms).getUTCDay());
  const before = Array.from({ length: 14 }, (_, index) => dayMs - (index + 1) * dayLengthMs);
  const days = before
    .filter((ms) => isRest(ms) === isRest(dayMs))
    .map((ms) => new Date(ms).toISOString().slice(0, 10));
  return { days, like: isRest(dayMs) ? 'weekend days' : 'weekdays' };
}

/** Reads earlier days like today: a few hundred numbers per app. */
export async function readCurves({ store, clock }: AdminContext): Promise<Curves> {
  const { days, like } = daysLike(Date.parse(utcDayOf(clock.now())));
  const sums = await store.readForOperator(selectMarkSums(days));
  const byApp = Map.groupBy(sums, ({ app }) => app);
  return { of: (app) => byApp.get(app) ?? [], like };
}
/** Reads once an hour, for all readers. */
export function createCurves(context: AdminContext): () => Promise<Curves> {
  let cached: { readonly hour: number; readonly curves: Promise<Curves> } | undefined;
  return async () => {
    const hour = Math.floor((context.clock.now() - markDelayMs) / hourMs);
    if (cached?.hour !== hour) cached = { hour, curves: readCurves(context) };
    const { curves } = cached;
    curves.catch(() => {
      cached = undefined;
    });
    return curves;
  };
}

/** Marks are written in an hour's first minutes. */
const markDelayMs = 150_000;
