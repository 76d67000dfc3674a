import type { Limits } from '../domain/limits.ts';

/** Undefined where a stop waits for the longest stream, or nothing streams. */
export function stopWarning(
  { stopMs, streams: { totalMs } }: Limits,
  hasStreams: boolean,
): string | undefined {
  if (!hasStreams || stopMs >= totalMs) return undefined;
  return `a stream may last streams.totalMs (${totalMs} ms), and a stop ends what still runs after limits.stopMs (${stopMs} ms): a longer one is cut and booked as estimated; to cut none, make stopMs no less than totalMs, and let what stops the process wait stopDelayMs + stopMs + 4 s`;
}
