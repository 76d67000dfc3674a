/** A figure unchanged for so long counts as final. */
export const finalAfterMs = 48 * 3_600_000;

/** As far as that can be known. */
export function isFinalDay(day: {
  readonly changedAt: number;
  readonly seenAt: number;
  readonly isClosed: boolean;
}): boolean {
  return day.isClosed || day.seenAt - day.changedAt >= finalAfterMs;
}
