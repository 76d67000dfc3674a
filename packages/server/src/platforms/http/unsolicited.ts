import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';

/** How often platforms sent bytes that were not asked for. */
export interface Unsolicited {
  /** To be called each time. */
  record(platform: string): void;
  /** By platform, since the start of the process; every configured one is there. */
  counts(): ReadonlyMap<string, number>;
}

/** A platform that does it with each answer is not to fill the log. */
const silenceMs = 60_000;

/** Counts of zero. */
export function createUnsolicited(parts: {
  readonly platforms: readonly { readonly name: string }[];
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly log: Log;
}): Unsolicited {
  const counts = new Map(parts.platforms.map(({ name }) => [name, 0]));
  const loggedAtMs = new Map<string, number>();
  return { record, counts: () => counts };

  function record(platform: string) {
    const count = (counts.get(platform) ?? 0) + 1;
    counts.set(platform, count);
    const now = parts.clock.monotonic();
    const before = loggedAtMs.get(platform);
    if (before !== undefined && now - before < silenceMs) return;
    loggedAtMs.set(platform, now);
    parts.log.warn(
      { platform, count },
      'the platform sent bytes that were not asked for, perhaps an answer twice: its idle connections were closed',
    );
  }
}
