import { dayAfter, dayOf, daysOfMonth } from '../../data/days.ts';
import { withQuery } from '../../data/with-query.ts';

export interface Asked {
  readonly range: string;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly app: string;
  readonly model: string;
  readonly compare: boolean;
}

/** This month by model, unless the URL has more. */
export function askedOf(query: Readonly<Record<string, string>>, nowMs: number): Asked {
  const today = dayOf(nowMs);
  const { app = '', model = '', by = 'model', compare, month = today.slice(0, 7) } = query;
  const rest = { app, model, by, compare: compare === 'true' };
  const range = query.range ?? (query.from === undefined ? 'month' : 'days');
  if (range === 'day') return { ...rest, range, from: today, to: today };
  if (range === 'week') return { ...rest, range, from: dayAfter(today, -6), to: today };
  if (range === 'days') {
    return { ...rest, range, from: query.from ?? today, to: query.to ?? today };
  }
  const [from, to] = daysOfMonth(month);
  return { ...rest, range: 'month', from, to };
}

export function parametersOf({ from, to, by, app, model, compare }: Asked) {
  const top = by === 'user' || by === 'key' ? String(shownUsers) : undefined;
  return { from, to, by, app, model, top, compare: compare ? 'true' : undefined };
}

export const shownUsers = 200;

/** Summed from single calls by a job, which takes too long for a page. */
export function isOfCalls({ by, range, model }: Asked): boolean {
  return by === 'user' && (range !== 'month' || model !== '');
}

export function rangeOf({ from, to, app, model }: Asked) {
  return { app, model, since: `${from}T00:00:00Z`, until: `${dayAfter(to)}T00:00:00Z` };
}

/** Undefined for a split that calls cannot be filtered by. */
export function callsOf(asked: Asked, name?: string): string | undefined {
  const { by } = asked;
  const range = rangeOf(asked);
  if (name === undefined) return withQuery('/console/calls', range);
  if (by === 'day') return callsOf({ ...asked, from: name, to: name });
  const isFound = ['app', 'model', 'user', 'key'].includes(by) && name !== '';
  return isFound ? withQuery('/console/calls', { ...range, [by]: name }) : undefined;
}
