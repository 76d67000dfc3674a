import { dayAfter, dayOf, daysOfMonth } from '../../data/days.ts';
import { withQuery } from '../../data/with-query.ts';

export interface SpendQuery {
  readonly range: string;
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly app: string;
  readonly model: string;
  /** Each row next to the same row of the previous period. */
  readonly compare: boolean;
  /** Today, as a UTC day. */
  readonly today: string;
  readonly query: Readonly<Record<string, string>>;
}

/** This month by app, unless the URL differs. */
export function spendQueryOf(query: Readonly<Record<string, string>>, nowMs: number): SpendQuery {
  const today = dayOf(nowMs);
  const { app = '', model = '', by = 'app', compare } = query;
  const rest = { app, model, by, compare: compare === 'true', today, query };
  const range = query.range ?? (query.from === undefined ? 'month' : 'days');
  if (range === 'day') return { ...rest, range, from: today, to: today };
  if (range === 'week') return { ...rest, range, from: dayAfter(today, -6), to: today };
  if (range === 'days') {
    return { ...rest, range, from: dayIn(query.from) ?? today, to: dayIn(query.to) ?? today };
  }
  const month = dayIn(`${query.month}-01`) ?? today;
  const [from, to] = daysOfMonth(month.slice(0, 7));
  return { ...rest, range: 'month', from, to };
}

function dayIn(text: string | undefined): string | undefined {
  const isDay = text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text);
  return isDay && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

export function isOpen({ from, to, today }: SpendQuery): boolean {
  return from <= today && today <= to;
}

/**
 * The same number of days before; for a month, the previous month, while open up to the same day.
 */
export function earlierOf(spendQuery: SpendQuery): SpendQuery {
  const { range, from, to, today } = spendQuery;
  const lengthOf = (last: string) => Math.round((Date.parse(last) - Date.parse(from)) / 86_400_000);
  const before = dayAfter(from, -1);
  if (range !== 'month') {
    return { ...spendQuery, range: 'days', from: dayAfter(before, -lengthOf(to)), to: before };
  }
  const [first, last] = daysOfMonth(before.slice(0, 7));
  const same = isOpen(spendQuery) ? dayAfter(first, lengthOf(today)) : last;
  return { ...spendQuery, range: 'days', from: first, to: same < last ? same : last };
}

export function parametersOf({ from, to, by, app, model }: SpendQuery) {
  const top = by === 'user' || by === 'key' ? String(shownUsers) : undefined;
  return { from, to, by, app, model, top };
}

export const shownUsers = 200;

/** Summed from single calls by a job: too slow for a page. */
export function isOfCalls({ by, range, model }: SpendQuery): boolean {
  return by === 'user' && (range !== 'month' || model !== '');
}

export function rangeOf({ from, to, app, model }: SpendQuery) {
  return { app, model, since: `${from}T00:00:00Z`, until: `${dayAfter(to)}T00:00:00Z` };
}

const callFilters = new Set(['app', 'model', 'user', 'key', 'platform']);

/** Undefined for a name that calls cannot be filtered by. */
export function callsOf(
  spendQuery: SpendQuery,
  by: readonly string[] = [],
  names: readonly string[] = [],
): string | undefined {
  const pairs = by.map((one, at) => [one, names[at] ?? ''] as const);
  const { day, ...filter } = Object.fromEntries(pairs);
  const canFilter = Object.entries(filter).every(
    ([one, name]) => callFilters.has(one) && name !== '',
  );
  const only = dayIn(day);
  const range = rangeOf(only === undefined ? spendQuery : { ...spendQuery, from: only, to: only });
  return canFilter ? withQuery('/console/calls', { ...range, ...filter }) : undefined;
}

/** The target of a row: an app's models, a model's apps, then the calls. */
export function drillOf(
  spendQuery: SpendQuery,
  by: readonly string[],
  names: readonly string[],
): string | undefined {
  const [name = ''] = names;
  const one = by.length === 1 && name !== '' ? by[0] : undefined;
  if (one === 'app' && spendQuery.model === '')
    return spendOf(spendQuery, { app: name, by: 'model' });
  if (one === 'model' && spendQuery.app === '')
    return spendOf(spendQuery, { model: name, by: 'app' });
  if (one === 'day') {
    return spendOf(spendQuery, { range: 'days', from: name, to: name, month: '', by: 'app' });
  }
  return callsOf(spendQuery, by, names);
}

/** The same page with other filters; jobs and sort order are reset. */
export function spendOf({ query }: SpendQuery, change: Readonly<Record<string, string>>): string {
  return withQuery('/console/spend', { ...query, users: '', sort: '', all: '', ...change });
}
