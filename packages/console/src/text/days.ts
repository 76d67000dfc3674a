import { once } from './once.ts';

const days = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
const withoutYear = once(() => new Intl.DateTimeFormat('en', days));
const withYear = once(() => new Intl.DateTimeFormat('en', { ...days, year: 'numeric' }));
const months = once(() => new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }));
const monthsOfYears = once(
  () =>
    new Intl.DateTimeFormat('en', {
      ...({ month: 'short', year: 'numeric', timeZone: 'UTC' } as const),
    }),
);

export function dayText(day: string): string {
  return withoutYear().format(new Date(day));
}

/** `Nov 1 – 30, 2026`; days of this year need no year. */
export function rangeText(from: string, to: string, hasYear = true): string {
  const format = hasYear ? withYear() : withoutYear();
  return format.formatRange(new Date(from), new Date(to < from ? from : to));
}

/** `November`, or with its year `Nov 2026`. */
export function monthText(day: string, hasYear = false): string {
  return (hasYear ? monthsOfYears() : months()).format(new Date(day));
}
