import type { Clock, Timer } from '../../lib/clock.ts';
import type { Tally } from '../../lib/count.ts';
import type { OneShotSource } from '../../lib/one-shot.ts';
import { createTimeLimit } from '../../lib/time-limit.ts';
import type { BodyRoom, IncomingRequest, ReadBody } from '../exchange/request.ts';
import type { RequestPermit } from './concurrency.ts';

/** Reads the bodies of requests, and bounds how slowly they may come. ADR 0030. */
export interface Bodies {
  /** Whether a key has so many slow bodies on their way that it may begin no other one. */
  isFull(keyId: string): boolean;
  /**
   * As the request reads it, until its client has left; `late` too when it came more slowly than it
   * must.
   */
  read(request: IncomingRequest, owner: BodyOwner): Promise<ReadBody>;
}

/** Whose body it is, and where it has room. */
export interface BodyOwner {
  readonly keyId: string;
  readonly permit: RequestPermit;
  /** Comes when its client has left; brought forward to now when the body is given up. */
  readonly callerGone: OneShotSource;
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
export function createBodies(parts: {
  readonly clock: Clock;
  readonly bytesMax: number;
  /** Slow ones, by their key, of all threads of the process. */
  readonly slow: Tally;
}): Bodies {
  const { clock, bytesMax, slow } = parts;
  const quick = createTimeLimit(clock, slowBodies.afterMs);
  return { isFull: (keyId) => slow.of(keyId) >= slowBodies.perKeyMax, read };

  async function read(request: IncomingRequest, owner: BodyOwner): Promise<ReadBody> {
    if (request.announcedBytes === 0) {
      return request.readBody(bytesMax, paceOf(owner), owner.callerGone);
    }
    const pace = watchPace(owner);
    try {
      const body = await request.readBody(bytesMax, pace, owner.callerGone);
      return body === 'left' && pace.isTooSlow ? 'late' : body;
    } finally {
      pace.timer?.cancel();
      if (pace.isSlow) slow.add(owner.keyId, -1);
    }
  }

  /** Counts a body that turns out to be slow, and gives it up when it is too slow. */
  function watchPace(owner: BodyOwner): Pace {
    const { keyId, callerGone } = owner;
    const pace = paceOf(owner);
    pace.timer = quick.begin(() => {
      pace.isSlow = true;
      slow.add(keyId, 1);
      // A moment at which this process looked too late is no fault of the client.
      look(pace, clock.monotonic() - slowBodies.afterMs, callerGone.fire);
    });
    return pace;
  }

  function look(pace: Pace, sinceMs: number, giveUp: () => void) {
    const nowMs = clock.monotonic();
    const hasMs = slowBodies.graceMs + (pace.arrivedBytes / slowBodies.bytesPerSecondMin) * 1_000;
    const leftMs = sinceMs + hasMs - nowMs;
    if (leftMs <= 0) {
      pace.isTooSlow = true;
      return giveUp();
    }
    const waitMs = Math.ceil(leftMs);
    pace.timer = clock.after(waitMs, () => {
      look(pace, sinceMs + (clock.monotonic() - nowMs - waitMs), giveUp);
    });
  }
}

/** What is known of a body on its way. */
interface Pace extends BodyRoom {
  isSlow: boolean;
  isTooSlow: boolean;
  timer: Timer | undefined;
}

function paceOf({ permit: { bodyBytes: heldBytes, hasRoom } }: BodyOwner): Pace {
  return {
    arrivedBytes: 0,
    heldBytes,
    hasRoom,
    isSlow: false,
    isTooSlow: false,
    timer: undefined,
  };
}
