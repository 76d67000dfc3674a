import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

const everyMs = 60_000;

/** At most once a minute; `repeated` counts the suppressed lines. */
export function createRareWarning(
  { clock, log }: { readonly clock: Pick<Clock, 'monotonic'>; readonly log: Pick<Log, 'warn'> },
  message: string,
): (fields: object) => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  let repeated = 0;
  return (fields) => {
    const nowMs = clock.monotonic();
    if (nowMs - lastMs < everyMs) {
      repeated += 1;
      return;
    }
    log.warn(repeated === 0 ? fields : { ...fields, repeated }, message);
    lastMs = nowMs;
    repeated = 0;
  };
}

export function createRareErrorWarning(
  parts: Parameters<typeof createRareWarning>[0],
  message: string,
): (error: unknown) => void {
  const warn = createRareWarning(parts, message);
  return (error) => warn({ error: String(error) });
}
