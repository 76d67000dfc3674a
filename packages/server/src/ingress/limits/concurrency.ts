import assert from 'node:assert';
import type { Permit } from '../../calls/model/permit.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Count } from '../../lib/count.ts';
import type { JsonCounts } from '../../lib/json-size.ts';
import type { Registry } from '../../registry/registry.ts';
import type { Attendance, Held } from './attendance.ts';
import { isFairShare } from './fair-share.ts';
import { createFairRules, type Situation } from './shares.ts';

/** Bounds requests and body bytes in flight. ADR 0020, 0030. */
export interface ConcurrencyLimiter {
  /** Takes no permit, and cuts nothing. */
  isFull(app: string, bodyBytes: number): boolean;
  /**
   * Call right after `isFull` returned false. Undefined where another thread took the last place.
   */
  acquire(app: string, bodyBytes: number): RequestPermit | undefined;
  /** Of this thread. */
  load(): Readonly<Held>;
  loads(): ReadonlyMap<string, Readonly<Held>>;
  readonly bodyBytesMax: number;
}

export interface RequestPermit extends Permit {
  readonly bodyBytes: number;
  hasRoom(bodyBytes: number): boolean;
  hasRoomParsed(counts: JsonCounts): boolean;
  /** Call once the body is done: only the answer's bytes are held until release. */
  keepFor(answerBytes: number): void;
}

/** Run on after their answer; may be ended when their permit is needed. */
export interface Cuttable {
  count(): number;
  /** Releases the permit before it returns; false when there is none. */
  cutSmallest(app?: string): boolean;
}

export interface DetachedElsewhere {
  others(): number;
  /**
   * The place is free once the other thread has heard of it, within a turn of its event loop. False
   * when there is none.
   */
  cutElsewhere(): boolean;
}

/** Upper bound per parsed JSON value or name; measured 57. ADR 0112. */
const parsedBytes = 64;

interface Growth {
  readonly more: number;
  readonly own: number;
}

interface LimiterParts {
  readonly limits: Pick<Limits, 'inFlight' | 'bodyBytesInFlight'>;
  readonly clock: Clock;
  /** Of this thread. */
  readonly drains: Cuttable;
  /** Some room is reserved for enabled apps that have none. */
  readonly registry: Pick<Registry, 'enabledApps'>;
  readonly counts: {
    readonly places: Count;
    readonly bodyBytes: Count;
    readonly attendance: Attendance;
    readonly detached: DetachedElsewhere;
  };
}

export function createConcurrencyLimiter(parts: LimiterParts): ConcurrencyLimiter {
  const { limits, clock, drains, registry, counts } = parts;
  const { places, bodyBytes: bytes, attendance } = counts;
  const freePlaces = () => limits.inFlight - places.others - places.own;
  const { look, mayTake } = createFairRules({
    max: limits.inFlight,
    // A detached call is cut for a request that needs its permit.
    free: () => freePlaces() + drains.count() + counts.detached.others(),
    ...{ attendance, enabledApps: registry.enabledApps, clock, isHeldLong: false },
  });
  const bounds = createByteBounds(parts);
  const changes: Changes = { hasGrown, free, bytesMax: limits.bodyBytesInFlight };
  return {
    ...{ isFull, acquire },
    load: () => ({ requests: places.own, bodyBytes: bytes.own }),
    loads: attendance.present,
    bodyBytesMax: limits.bodyBytesInFlight,
  };

  function isFull(app: string, bodyBytes: number): boolean {
    const isFree = freePlaces() > 0 && bodyBytes <= bounds.freeBytes();
    // An app that has nothing is given its first whatever the others want.
    if (isFree && attendance.of(app).requests === 0) return false;
    const now = look(app);
    const growth = { more: bodyBytes, own: 0 };
    return !(mayTake(app, now) && bounds.hasBytes(app, growth, now));
  }

  function acquire(app: string, bodyBytes: number): RequestPermit | undefined {
    if (!places.take(limits.inFlight) && !takeCutPlace(app)) return undefined;
    const holding = { app, held: attendance.enter(app), all: bytes, bodyBytes: 0 };
    resize(holding, bodyBytes);
    return createPermit(holding, changes);
  }

  function takeCutPlace(app: string): boolean {
    // One that is cut here releases its permit at once. An app's own first: the estimates of others
    // are not to pay for its many calls.
    if (drains.cutSmallest(app) || drains.cutSmallest()) return places.take(limits.inFlight);
    if (!counts.detached.cutElsewhere()) return false;
    // Until its thread has cut it, there is one more than there may be.
    places.own += 1;
    return true;
  }

  function hasGrown(holding: Holding, bytes: number): boolean {
    const { app, bodyBytes: own } = holding;
    if (!bounds.hasBytes(app, { more: bytes - own, own }, look(app))) return false;
    resize(holding, bytes);
    return true;
  }

  function free(holding: Holding) {
    places.own -= 1;
    resize(holding, 0);
    attendance.leave(holding.app, clock.monotonic());
  }
}

/** How many bytes one app may have of what all share; a refused app is one that wants something. */
function createByteBounds({ limits, counts }: LimiterParts) {
  const { bodyBytes: bytes, attendance } = counts;
  const freeBytes = () => limits.bodyBytesInFlight - bytes.others - bytes.own;
  return { freeBytes, hasBytes };

  /** The share does not bound an app's only body. */
  function hasBytes(app: string, { more, own }: Growth, { nowMs, absent, apps }: Situation) {
    if (more === 0) return true;
    const { bodyBytesInFlight: total } = limits;
    const free = freeBytes();
    const { bodyBytes } = attendance.of(app);
    const has = bodyBytes === own ? 0 : bodyBytes;
    const kept = absent > 0 ? Math.floor(total / 10) : 0;
    if (isFairShare({ has, more, free, total, kept, apps, othersLack: false })) return true;
    attendance.refuse(app, false, nowMs);
    return false;
  }
}

interface Holding {
  readonly app: string;
  readonly held: Held;
  readonly all: Count;
  bodyBytes: number;
}

interface Changes {
  /** False, and unchanged, without room. */
  hasGrown(holding: Holding, bytes: number): boolean;
  free(holding: Holding): void;
  readonly bytesMax: number;
}

/** Unconditional: the bytes are there already. */
function resize(holding: Holding, bytes: number) {
  const more = bytes - holding.bodyBytes;
  holding.bodyBytes = bytes;
  holding.all.own += more;
  holding.held.bodyBytes += more;
}

function createPermit(holding: Holding, changes: Changes): RequestPermit {
  let isMine = true;
  const hasRoom = (bytes: number) =>
    bytes <= holding.bodyBytes || (isMine && changes.hasGrown(holding, bytes));
  return {
    bodyBytes: holding.bodyBytes,
    transfer() {
      assert(isMine, 'a permit is handed over by its holder');
      isMine = false;
      return createPermit(holding, changes);
    },
    hasRoom,
    // One that takes more than all may have is served while it is alone.
    hasRoomParsed: ({ values, names }) =>
      hasRoom(Math.min((values + names) * parsedBytes, changes.bytesMax)),
    keepFor(bytes) {
      if (isMine) resize(holding, bytes);
    },
    release() {
      if (!isMine) return;
      isMine = false;
      changes.free(holding);
    },
  };
}
