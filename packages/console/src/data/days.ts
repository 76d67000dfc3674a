const dayMs = 86_400_000;

export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

export function dayAfter(day: string, days = 1): string {
  return dayOf(Date.parse(day) + days * dayMs);
}

export function daysOfMonth(month: string): readonly [from: string, to: string] {
  const first = new Date(`${month}-01`);
  const end = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1);
  return [`${month}-01`, dayOf(end - dayMs)];
}
