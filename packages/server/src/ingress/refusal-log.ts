import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** The log of requests without a known key, which cost their senders nothing. */
export interface RefusalLog {
  /** Tells of a request by its own line, or counts it; `network` is where it came from. */
  add(network: string | undefined, line: object): void;
  /** Tells now what is only counted so far. */
  tell(): void;
}

/** One line for each network in so long. */
const everyMs = 1_000;
/** Networks that are counted apart; all others are one. */
const networksMax = 256;

/**
 * The first request of a network has its line; of those that follow only their count is told, once
 * a second for as long as they go on.
 */
export function createRefusalLog(parts: {
  readonly clock: Clock;
  readonly log: Pick<Log, 'request'>;
}): RefusalLog {
  const { clock, log } = parts;
  const untold = new Map<string, number>();
  let isTimed = false;
  return {
    add(network = 'unknown', line) {
      const known = untold.get(network);
      if (known === undefined && untold.size < networksMax) {
        untold.set(network, 0);
        log.request(line, 'answered');
      } else {
        const name = known === undefined ? 'others' : network;
        untold.set(name, (untold.get(name) ?? 0) + 1);
      }
      time();
    },
    tell,
  };

  function tell() {
    for (const [remote, refused] of untold) {
      if (refused === 0) {
        untold.delete(remote);
        continue;
      }
      untold.set(remote, 0);
      log.request({ remote, refused, status: 403, code: 'FORBIDDEN' }, 'refused without a key');
    }
  }

  function time() {
    if (isTimed) return;
    isTimed = true;
    clock.after(everyMs, () => {
      isTimed = false;
      tell();
      if (untold.size > 0) time();
    });
  }
}
