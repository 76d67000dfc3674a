import { withQuery } from '../../data/with-query.ts';

/** Calls since the start of a UTC day. */
export function callsToday(day: string, filter: Readonly<Record<string, string>>): string {
  return withQuery('/console/calls', { ...filter, since: `${day}T00:00:00Z` });
}
