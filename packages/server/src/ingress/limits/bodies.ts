import type { Clock } from '../../lib/clock.ts';
import { createMoment, type Moment } from '../../lib/moment.ts';
import { createTimeLimit } from '../../lib/time-limit.ts';
import type { EdgeRequest, ReadBody } from '../http/request.ts';
import type { GatePlace } from './concurrency.ts';

/** Reads the bodies of requests, and bounds how slowly they may come. ADR 0030. */
export interface Bodies {
  /** Whether a key has so many slow bodies on their way that it may begin no other one. */
  isFull(keyId: string): boolean;
  /**
   * As the request reads it, until its client has left; `late` too when it came more slowly than it
   * must.
   */
  read(request: EdgeRequest, owner: BodyOwner): Promise<ReadBody>;
}

/** Whose body it is, and where it has room. */
export interface BodyOwner {
  readonly keyId: string;
  readonly permit: GatePlace;
  readonly callerGone: Moment;
}

/** Bounds of bodies that are on their way. */
export const slowBodies = {
  /** A body that has been coming for so long is slow. */
  afterMs: 1_000,
  /** A key with so many of them begins no other body. */
  perKeyMax: 8,
  /** All of a body has so long to come, ... */
  graceMs: 2_000,
  /** ... and a second more for so many bytes as have come. */
  bytesPerSecondMin: 65_536,
} as const;

/** Nothing is read yet. */
export function createBodies(parts: { readonly clock: Clock; readonly bytesMax: number }): Bodies {
  const { clock, bytesMax } = parts;
  const quick = createTimeLimit(clock, slowBodies.afterMs);
  const slowByKey = new Map<string, number>();
  return { isFull: (keyId) => (slowByKey.get(keyId) ?? 0) >= slowBodies.perKeyMax, read };

  function read(request: EdgeRequest, owner: BodyOwner): Promise<ReadBody> {
    if (request.announcedBytes !== 0) return readTimed(request, owner);
    return request.readBody(bytesMax, owner.permit.hasRoom, owner.callerGone);
  }

  async function readTimed(request: EdgeRequest, { keyId, permit, callerGone }: BodyOwner) {
    const over = createMoment();
    const forget = callerGone.whenCome(over.come);
    const pace = watchPace(keyId, over.come);
    const hasRoom = (bytes: number) => {
      pace.come(bytes);
      return permit.hasRoom(bytes);
    };
    try {
      const body = await request.readBody(bytesMax, hasRoom, over);
      return body === 'left' && pace.isTooSlow() ? 'late' : body;
    } finally {
      forget();
      pace.end();
    }
  }

  /** Counts a body that turns out to be slow, and gives it up when it is too slow. */
  function watchPace(keyId: string, giveUp: () => void) {
    let arrivedBytes = 0;
    let isSlow = false;
    let isTooSlow = false;
    // A moment at which this process looked too late is no fault of the client.
    let sinceMs = clock.monotonic();
    let timer = quick.begin(() => {
      isSlow = true;
      slowByKey.set(keyId, (slowByKey.get(keyId) ?? 0) + 1);
      look(sinceMs + slowBodies.afterMs);
    });
    return { come, isTooSlow: () => isTooSlow, end };

    function come(bytes: number) {
      arrivedBytes = bytes;
    }

    function look(dueMs: number) {
      const nowMs = clock.monotonic();
      sinceMs += nowMs - dueMs;
      const hasMs = slowBodies.graceMs + (arrivedBytes / slowBodies.bytesPerSecondMin) * 1_000;
      const leftMs = sinceMs + hasMs - nowMs;
      if (leftMs <= 0) {
        isTooSlow = true;
        return giveUp();
      }
      const waitMs = Math.ceil(leftMs);
      timer = clock.after(waitMs, () => look(nowMs + waitMs));
    }

    function end() {
      timer.cancel();
      if (!isSlow) return;
      const count = (slowByKey.get(keyId) ?? 0) - 1;
      if (count > 0) slowByKey.set(keyId, count);
      else slowByKey.delete(keyId);
    }
  }
}
