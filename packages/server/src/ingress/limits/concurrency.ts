import assert from 'node:assert';
import type { Permit } from '../../calls/model/permit.ts';
import type { Limits } from '../../domain/limits.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Count } from '../../lib/count.ts';
import type { JsonCounts } from '../../lib/json-size.ts';
import type { Registry } from '../../registry/registry.ts';
import type { ActiveApps, Held } from './active-apps.ts';
import { isFairShare } from './fair-share.ts';
import { createFairRules, type Situation } from './shares.ts';

/** Limits requests and body bytes in flight. ADR 0020, 0030. */
export interface ConcurrencyLimiter {
  /** Takes no permit, and cancels nothing. */
  isFull(app: string, bodyBytes: number): boolean;
  /**
   * Call directly after `isFull` returned false. Undefined if another thread took the last permit.
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
  /** Call when the body is processed: only the response's bytes stay counted until release. */
  shrinkTo(answerBytes: number): void;
}

/**
 * Detached calls continue after their response. They may be canceled when their permit is needed.
 */
export interface Cuttable {
  count(): number;
  /** Releases the permit before it returns; false without a detached call. */
  cutSmallest(app?: string): boolean;
}

export interface DetachedElsewhere {
  others(): number;
  /**
   * The permit is free after the other thread's notification, within a turn of its event loop.
   * False without a detached call.
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
  readonly detachedCalls: Cuttable;
  /** Some permits and bytes are reserved for enabled apps that have none. */
  readonly registry: Pick<Registry, 'enabledApps'>;
  readonly counts: {
    readonly permits: Count;
    readonly bodyBytes: Count;
    readonly activeApps: ActiveApps;
    readonly detached: DetachedElsewhere;
  };
}

export function createConcurrencyLimiter(parts: LimiterParts): ConcurrencyLimiter {
  const { limits, clock, detachedCalls, registry, counts } = parts;
  const { permits, bodyBytes: bytes, activeApps } = counts;
  const freePermits = () => limits.inFlight - permits.others - permits.own;
  const { situationOf, mayTake } = createFairRules({
    max: limits.inFlight,
    // A request that needs a permit cancels a detached call.
    free: () => freePermits() + detachedCalls.count() + counts.detached.others(),
    ...{ activeApps, enabledApps: registry.enabledApps, clock, isHeldLong: false },
  });
  const bounds = createByteBounds(parts);
  const changes: Changes = { hasGrown, free, bytesMax: limits.bodyBytesInFlight };
  return {
    ...{ isFull, acquire },
    load: () => ({ requests: permits.own, bodyBytes: bytes.own }),
    loads: activeApps.present,
    bodyBytesMax: limits.bodyBytesInFlight,
  };

  function isFull(app: string, bodyBytes: number): boolean {
    const isFree = freePermits() > 0 && bodyBytes <= bounds.freeBytes();
    // An app without a permit gets its first one, whatever the demand of others.
    if (isFree && activeApps.of(app).requests === 0) return false;
    const now = situationOf(app);
    const growth = { more: bodyBytes, own: 0 };
    return !(mayTake(app, now) && bounds.hasBytes(app, growth, now));
  }

  function acquire(app: string, bodyBytes: number): RequestPermit | undefined {
    if (!permits.take(limits.inFlight) && !takeDetachedPermit(app)) return undefined;
    const holding = { app, held: activeApps.enter(app), all: bytes, bodyBytes: 0 };
    resize(holding, bodyBytes);
    return createPermit(holding, changes);
  }

  function takeDetachedPermit(app: string): boolean {
    // A call canceled here releases its permit at once. The app's own come first: the estimates of
    // other apps must not pay for its many calls.
    if (detachedCalls.cutSmallest(app) || detachedCalls.cutSmallest())
      return permits.take(limits.inFlight);
    if (!counts.detached.cutElsewhere()) return false;
    // Until the other thread cancels its call, one permit too many is in use.
    permits.own += 1;
    return true;
  }

  function hasGrown(holding: Holding, bytes: number): boolean {
    const { app, bodyBytes: own } = holding;
    if (!bounds.hasBytes(app, { more: bytes - own, own }, situationOf(app))) return false;
    resize(holding, bytes);
    return true;
  }

  function free(holding: Holding) {
    permits.own -= 1;
    resize(holding, 0);
    activeApps.leave(holding.app, clock.monotonic());
  }
}

/** Limits one app's part of the shared bytes. A rejected app has demand. */
function createByteBounds({ limits, counts }: LimiterParts) {
  const { bodyBytes: bytes, activeApps } = counts;
  const freeBytes = () => limits.bodyBytesInFlight - bytes.others - bytes.own;
  return { freeBytes, hasBytes };

  /** The share does not limit an app's only body. */
  function hasBytes(app: string, { more, own }: Growth, { nowMs, absent, apps }: Situation) {
    if (more === 0) return true;
    const { bodyBytesInFlight: total } = limits;
    const free = freeBytes();
    const { bodyBytes } = activeApps.of(app);
    const has = bodyBytes === own ? 0 : bodyBytes;
    const reserved = absent > 0 ? Math.floor(total / 10) : 0;
    if (isFairShare({ has, more, free, total, reserved, apps, areOthersBelowShare: false }))
      return true;
    activeApps.refuse(app, false, nowMs);
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
  /** False, and unchanged, if no bytes are free. */
  hasGrown(holding: Holding, bytes: number): boolean;
  free(holding: Holding): void;
  readonly bytesMax: number;
}

/** Unconditional: the bytes are already in memory. */
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
    // A body above the limit for all is served while it is the only one.
    hasRoomParsed: ({ values, names }) =>
      hasRoom(Math.min((values + names) * parsedBytes, changes.bytesMax)),
    shrinkTo(bytes) {
      if (isMine) resize(holding, bytes);
    },
    release() {
      if (!isMine) return;
      isMine = false;
      changes.free(holding);
    },
  };
}
