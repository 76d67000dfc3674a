import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

/** The lines of refusals of one kind, which cost their senders nothing. */
export interface RefusalLines {
  /** Writes a refusal's own line, or counts the refusal; `network` is where it came from. */
  add(network: string | undefined, line: object): void;
  /** Writes now what is only counted so far. */
  flush(): void;
}

/** One line for each network in so long. */
const everyMs = 1_000;
/** Networks that are counted apart; all others are one. */
const networksMax = 256;

/** What the lines of one kind of refusal contain. */
export interface RefusalKind {
  /** The message of a network's first line. */
  readonly first: string;
  /** The message of a line with a count. */
  readonly others: string;
  /** The fields that a line with a count has in addition to the network and the count. */
  readonly fields: object;
}

/**
 * The first refusal of a network has its line; of those that follow only their count is told, once
 * a second for as long as they go on.
 */
export function createRefusalLines(parts: {
  readonly clock: Clock;
  readonly log: Pick<Log, 'request'>;
  readonly kind: RefusalKind;
}): RefusalLines {
  const { clock, log, kind } = parts;
  const refusedBy = new Map<string, number>();
  let isTimed = false;
  return {
    add(network = 'unknown', line) {
      const known = refusedBy.get(network);
      if (known === undefined && refusedBy.size < networksMax) {
        refusedBy.set(network, 0);
        log.request(line, kind.first);
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
      log.request({ remote, refused, ...kind.fields }, kind.others);
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
