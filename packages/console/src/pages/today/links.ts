import { withQuery } from '../../data/with-query.ts';

/** Calls since the start of a UTC day. */
export function callsToday(day: string, filter: Readonly<Record<string, string>>): string {
  return withQuery('/console/calls', { ...filter, since: `${day}T00:00:00Z` });
}

/** Cut, never rounded: `0.38%`. */
export function percentText(part: number, whole: number, decimals = 2): string {
  if (whole === 0) return '0%';
  const power = 10 ** decimals;
  return `${(Math.floor((part * 100 * power) / whole) / power).toFixed(decimals)}%`;
}
