import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';

export interface Unsolicited {
  record(platform: string): void;
  counts(): ReadonlyMap<string, number>;
}

/** A platform may do it in each response, which must not fill the log. */
const silenceMs = 60_000;

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
      'platform sent unsolicited bytes, possibly a duplicate response; its idle connections were closed',
    );
  }
}
