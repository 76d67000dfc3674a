import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

export interface RefusalLines {
  /** Writes or only counts the line; `network` is its source. */
  add(network: string | undefined, line: object, kind?: RefusedKind): void;
  flush(): void;
}

export interface RefusedKind {
  readonly reason: string | undefined;
  readonly request: string;
}

type Counts = Record<string, number>;

interface Refused {
  refused: number;
  readonly reasons: Counts;
  readonly requests: Counts;
}

/** The most requests that a line names; all others are one entry. */
const requestsMax = 16;
const otherRequests = 'other';

const everyMs = 1_000;
const networksMax = 256;

export interface RefusalKind {
  readonly first: string;
  readonly others: string;
  readonly fields: object;
}

/** A network's first rejection has its own line; later ones are counted, with one line a second. */
export function createRefusalLines(parts: {
  readonly clock: Clock;
  readonly log: Pick<Log, 'request'>;
  readonly kind: RefusalKind;
}): RefusalLines {
  const { clock, log, kind: refusals } = parts;
  const refusedBy = new Map<string, Refused>();
  let isTimed = false;
  return {
    add(network = 'unknown', line, kind) {
      const known = refusedBy.get(network);
      if (known === undefined && refusedBy.size < networksMax) {
        refusedBy.set(network, createRefused());
        log.request(line, refusals.first);
      } else {
        const name = known === undefined ? 'others' : network;
        const counts = refusedBy.get(name) ?? createRefused();
        refusedBy.set(name, counts);
        count(counts, kind);
      }
      startTimer();
    },
    flush,
  };

  function flush() {
    for (const [remote, { refused, reasons, requests }] of refusedBy) {
      if (refused === 0) {
        refusedBy.delete(remote);
        continue;
      }
      refusedBy.set(remote, createRefused());
      const counts = { ...someOf('reasons', reasons), ...someOf('requests', requests) };
      log.request({ remote, refused, ...refusals.fields, ...counts }, refusals.others);
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

function createRefused(): Refused {
  return { refused: 0, reasons: {}, requests: {} };
}

function count(counts: Refused, kind: RefusedKind | undefined) {
  counts.refused += 1;
  if (kind === undefined) return;
  const { reasons, requests } = counts;
  const { reason, request } = kind;
  if (reason !== undefined) addTo(reasons, reason);
  const isNamed = request in requests || Object.keys(requests).length < requestsMax;
  addTo(requests, isNamed ? request : otherRequests);
}

function addTo(counts: Counts, name: string) {
  counts[name] = (counts[name] ?? 0) + 1;
}

function someOf(name: string, counts: Counts): Readonly<Record<string, Counts>> {
  return Object.keys(counts).length === 0 ? {} : { [name]: counts };
}
