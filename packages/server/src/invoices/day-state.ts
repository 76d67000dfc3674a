/** So long a platform's figure stays the same before it counts as its last word. */
export const finalAfterMs = 48 * 3_600_000;

/** Whether a day's invoice will not change any more, as far as that can be known. */
export function isFinalDay(day: {
  readonly changedAt: number;
  readonly seenAt: number;
  readonly isClosed: boolean;
}): boolean {
  return day.isClosed || day.seenAt - day.changedAt >= finalAfterMs;
}
