import { withQuery } from '../../data/with-query.ts';

export type Query = Readonly<Record<string, string>>;
export type Change = (changed: Readonly<Record<string, string | undefined>>) => void;

/** Named in the address as the service names them. */
const names = [
  ...(['app', 'model', 'code', 'platform', 'user', 'key'] as const),
  ...(['since', 'until', 'minUsd', 'estimated', 'failed'] as const),
] as const;

/** What of the address narrows the calls; the rest is the view. */
export function filterOf(query: Query): Query {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query[name];
      return value === undefined || value === '' ? [] : [[name, value] as const];
    }),
  );
}

/** Another filter begins at the first page, without an open call. */
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

/** A midnight is only its day. */
function instantText(at: string): string {
  if (!at.includes('T')) return at;
  const text = at.replace(/(?::00)?(?:\.0+)?Z$/, '').replace('T', ' ');
  return `${text.replace(/ 00:00$/, '')} UTC`;
}
