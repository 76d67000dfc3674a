import assert from 'node:assert';
import type { Limits } from '../config/config.ts';
import type { Place } from '../inference/place.ts';
import type { Clock } from '../lib/clock.ts';

/** Bounds what is held at once: requests, and the bytes of their bodies. ADR 0020. */
export interface Gate {
  /** Whether there is no place for a request now; takes none, and cuts nothing. */
  isFull(app: string, bodyBytes: number): boolean;
  /** Takes a place with room for a body of so many bytes; `isFull` must have just said no. */
  enter(app: string, bodyBytes: number): GatePlace;
  /** What is held now. */
  load(): { readonly requests: number; readonly bodyBytes: number };
}

/** A place at the gate. */
export interface GatePlace extends Place {
  /** Makes room for a body that has turned out to have so many bytes; false when there is none. */
  hasRoom(bodyBytes: number): boolean;
}

/** Requests that go on behind an answer, and that may be ended when their place is needed. */
export interface Cuttable {
  /** How many there are; each holds a place. */
  count(): number;
  /** Ends one, which leaves its place before this returns; false when there is none. */
  cutSmallest(): boolean;
}

/** What is known of an app that is in flight, was, or was refused. */
interface Presence {
  places: number;
  seenAtMs: number;
}

/** For so long after its last request or refusal an app is one that wants places. */
const wantsForMs = 1_000;

/** A gate with nobody in it. */
export function createGate(parts: {
  readonly limits: Pick<Limits, 'inFlight' | 'bodyBytesInFlight'>;
  readonly clock: Clock;
  readonly drains: Cuttable;
}): Gate {
  const { limits, clock, drains } = parts;
  // 60 %, and one place at least.
  const shareMax = Math.max(1, Math.floor((limits.inFlight * 3) / 5));
  const apps = new Map<string, Presence>();
  let requests = 0;
  let heldBytes = 0;
  return { isFull, enter, load: () => ({ requests, bodyBytes: heldBytes }) };

  function isFull(app: string, bodyBytes: number): boolean {
    const isRefused = requests - drains.count() >= limits.inFlight || isWithoutRoom(app, bodyBytes);
    if (isRefused) see(app);
    return isRefused;
  }

  function enter(app: string, bodyBytes: number): GatePlace {
    if (requests >= limits.inFlight) drains.cutSmallest();
    assert(requests < limits.inFlight, 'a drain that is cut leaves its place at once');
    requests += 1;
    heldBytes += bodyBytes;
    see(app).places += 1;
    return createPlace(bodyBytes, {
      hasGrown(bytes) {
        if (heldBytes + bytes > limits.bodyBytesInFlight) return false;
        heldBytes += bytes;
        return true;
      },
      free(bytes) {
        requests -= 1;
        heldBytes -= bytes;
        see(app).places -= 1;
      },
    });
  }

  /** What no cut drain would help against: too many bytes, or more than an app's share. */
  function isWithoutRoom(app: string, bodyBytes: number): boolean {
    if (heldBytes + bodyBytes > limits.bodyBytesInFlight) return true;
    const places = apps.get(app)?.places ?? 0;
    return places >= shareMax && othersWant(app);
  }

  function othersWant(app: string): boolean {
    const sinceMs = clock.monotonic() - wantsForMs;
    let isWanted = false;
    for (const [name, { places, seenAtMs }] of apps) {
      if (places === 0 && seenAtMs < sinceMs) apps.delete(name);
      else isWanted ||= name !== app;
    }
    return isWanted;
  }

  function see(app: string): Presence {
    const known = apps.get(app);
    if (known === undefined) {
      const first = { places: 0, seenAtMs: clock.monotonic() };
      apps.set(app, first);
      return first;
    }
    known.seenAtMs = clock.monotonic();
    return known;
  }
}

/** A place that is free when whoever has it leaves; `free` is told the bytes it then has. */
function createPlace(
  firstBytes: number,
  parts: {
    readonly hasGrown: (bytes: number) => boolean;
    readonly free: (bytes: number) => void;
  },
): GatePlace {
  let bodyBytes = firstBytes;
  return hold();

  function hold(): GatePlace {
    let isMine = true;
    return {
      handOver() {
        assert(isMine, 'a place is given on by whoever has it');
        isMine = false;
        return hold();
      },
      hasRoom(bytes) {
        if (bytes <= bodyBytes) return true;
        if (!isMine || !parts.hasGrown(bytes - bodyBytes)) return false;
        bodyBytes = bytes;
        return true;
      },
      leave() {
        if (!isMine) return;
        isMine = false;
        parts.free(bodyBytes);
      },
    };
  }
}
