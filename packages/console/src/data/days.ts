const dayMs = 86_400_000;

/** The UTC day of a moment. */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** The day so many days later. */
export function dayAfter(day: string, days = 1): string {
  return dayOf(Date.parse(day) + days * dayMs);
}

/** The first and the last day of a month. */
export function daysOfMonth(month: string): readonly [from: string, to: string] {
  const first = new Date(`${month}-01`);
  const end = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1);
  return [`${month}-01`, dayOf(end - dayMs)];
}
