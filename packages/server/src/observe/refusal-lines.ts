import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** The lines of requests without a known key, which cost their senders nothing. */
export interface RefusalLines {
  /** Writes a request's own line, or counts the request; `network` is where it came from. */
  add(network: string | undefined, line: object): void;
  /** Writes now what is only counted so far. */
  flush(): void;
}

/** One line for each network in so long. */
const everyMs = 1_000;
/** Networks that are counted apart; all others are one. */
const networksMax = 256;

/**
 * The first request of a network has its line; of those that follow only their count is told, once
 * a second for as long as they go on.
 */
export function createRefusalLines(parts: {
  readonly clock: Clock;
  readonly log: Pick<Log, 'request'>;
}): RefusalLines {
  const { clock, log } = parts;
  const refusedBy = new Map<string, number>();
  let isTimed = false;
  return {
    add(network = 'unknown', line) {
      const known = refusedBy.get(network);
      if (known === undefined && refusedBy.size < networksMax) {
        refusedBy.set(network, 0);
        log.request(line, 'answered');
      } else {
        const name = known === undefined ? 'others' : network;
        refusedBy.set(name, (refusedBy.get(name) ?? 0) + 1);
      }
      startTimer();
    },
    flush,
  };

  function flush() {
    for (const [remote, refused] of refusedBy) {
      if (refused === 0) {
        refusedBy.delete(remote);
        continue;
      }
      refusedBy.set(remote, 0);
      log.request({ remote, refused, status: 403, code: 'FORBIDDEN' }, 'refused without a key');
    }
  }

  function startTimer() {
    if (isTimed) return;
    isTimed = true;
    clock.after(everyMs, () => {
      isTimed = false;
      flush();
      if (refusedBy.size > 0) startTimer();
    });
  }
}
