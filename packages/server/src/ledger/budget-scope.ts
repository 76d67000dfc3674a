import { type ScopeKey, spanOf } from '../books/scope.ts';
import { nextUtcDayMs, nextUtcMonthMs } from '../lib/clock.ts';

/**
 * For the header `x-budget-scope`: `app-day` for undefined; `group-month:research`; `run:ID`. A key
 * and a user have no names there, since they are the caller's own.
 */
export function budgetScopeOf(key: ScopeKey | undefined): string {
  if (key === undefined) return 'app-day';
  const [kind = '', name = ''] = key.scope.split(':', 2);
  const span = spanOf(key);
  if (kind === 'run') return `run:${key.scope.slice(`run:${name}:`.length)}`;
  return kind === 'group' ? `group-${span}:${name}` : `${kind}-${span}`;
}

/** Milliseconds since 1970; undefined for a run. */
export function resetMsOf(key: ScopeKey): number | undefined {
  const span = spanOf(key);
  if (span === 'day') return nextUtcDayMs(Date.parse(key.period));
  return span === 'month' ? nextUtcMonthMs(Date.parse(`${key.period}-01`)) : undefined;
}
