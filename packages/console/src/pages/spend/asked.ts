import { dayAfter, dayOf, daysOfMonth } from '../../data/days.ts';
import { withQuery } from '../../data/with-query.ts';

/** What a page of spending is asked for. */
export interface Asked {
  readonly range: string;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly app: string;
  readonly model: string;
  readonly compare: boolean;
}

/** What the URL asks for; this month by model where it says nothing. */
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

/** The same as the API is asked for it. */
export function parametersOf({ from, to, by, app, model, compare }: Asked) {
  const top = by === 'user' || by === 'key' ? String(shownUsers) : undefined;
  return { from, to, by, app, model, top, compare: compare ? 'true' : undefined };
}

/** Rows of users and of keys. */
export const shownUsers = 200;

/** Whether it is added up from single calls: a job with its progress, and not a page's wait. */
export function isOfCalls({ by, range, model }: Asked): boolean {
  return by === 'user' && (range !== 'month' || model !== '');
}

/** The calls of a range, as they are asked for. */
export function rangeOf({ from, to, app, model }: Asked) {
  return { app, model, since: `${from}T00:00:00Z`, until: `${dayAfter(to)}T00:00:00Z` };
}

/** The calls behind a figure; undefined for a split that calls cannot be found by. */
export function callsOf(asked: Asked, name?: string): string | undefined {
  const { by } = asked;
  const range = rangeOf(asked);
  if (name === undefined) return withQuery('/console/calls', range);
  if (by === 'day') return callsOf({ ...asked, from: name, to: name });
  const isFound = ['app', 'model', 'user', 'key'].includes(by) && name !== '';
  return isFound ? withQuery('/console/calls', { ...range, [by]: name }) : undefined;
}
