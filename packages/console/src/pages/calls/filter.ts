import { withQuery } from '../../data/with-query.ts';

export type Query = Readonly<Record<string, string>>;
export type Change = (changed: Readonly<Record<string, string | undefined>>) => void;

/** The service's names, also used in the address. */
const names = [
  ...(['app', 'model', 'code', 'platform', 'user', 'key'] as const),
  ...(['since', 'until', 'minUsd', 'estimated', 'failed'] as const),
] as const;

/** The part of the address that filters the calls; the rest is the view. */
export function filterOf(query: Query): Query {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query[name];
      return value === undefined || value === '' ? [] : [[name, value] as const];
    }),
  );
}

/** A new filter begins at the first page, without an open call. */
export function addressOf(
  query: Query,
  changed: Readonly<Record<string, string | undefined>>,
): string {
  return withQuery('/console/calls', { ...query, after: undefined, call: undefined, ...changed });
}

export const times = [
  ['1h', 'Last hour'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
] as const;

const timeNames: ReadonlyMap<string, string> = new Map(times);

/** `Last hour`, `from 2026-11-01 to 2026-11-08 UTC`; undefined for all times. */
export function timeText({ since, until }: Query): string | undefined {
  const named = until === undefined ? timeNames.get(since ?? '') : undefined;
  if (named !== undefined) return named;
  const parts = [since && `from ${instantText(since)}`, until && `to ${instantText(until)}`];
  const text = parts.filter(Boolean).join(' ');
  return text === '' ? undefined : text;
}

/** A midnight becomes its day. */
function instantText(at: string): string {
  if (!at.includes('T')) return at;
  const text = at.replace(/(?::00)?(?:\.0+)?Z$/, '').replace('T', ' ');
  return `${text.replace(/ 00:00$/, '')} UTC`;
}
