import type { Clock, Timer } from '../../lib/clock.ts';
import type { Tally } from '../../lib/count.ts';
import type { OneShotSource } from '../../lib/one-shot.ts';
import { createTimeLimit } from '../../lib/time-limit.ts';
import type { BodyRoom, IncomingRequest, ReadBody } from '../exchange/request.ts';
import type { RequestPermit } from './concurrency.ts';

/** Also limits slow bodies. ADR 0030. */
export interface Bodies {
  isFull(keyId: string): boolean;
  read(request: IncomingRequest, owner: BodyOwner): Promise<ReadBody>;
}

export interface BodyOwner {
  readonly keyId: string;
  readonly permit: RequestPermit;
  /** Fires when the client disconnects, or when the body is abandoned. */
  readonly callerDisconnected: OneShotSource;
}

export const slowBodies = {
  afterMs: 1_000,
  perKeyMax: 8,
  graceMs: 2_000,
  bytesPerSecondMin: 65_536,
} as const;

export function createBodies(parts: {
  readonly clock: Clock;
  readonly bytesMax: number;
  /** Slow bodies by key, of all threads of the process. */
  readonly slow: Tally;
}): Bodies {
  const { clock, bytesMax, slow } = parts;
  const quick = createTimeLimit(clock, slowBodies.afterMs);
  return { isFull: (keyId) => slow.of(keyId) >= slowBodies.perKeyMax, read };

  async function read(request: IncomingRequest, owner: BodyOwner): Promise<ReadBody> {
    const { bodyBytes: heldBytes, hasRoom } = owner.permit;
    const progress: BodyProgress = {
      arrivedBytes: 0,
      heldBytes,
      hasRoom,
      isSlow: false,
      isTooSlow: false,
      timer: undefined,
    };
    if (request.announcedBytes === 0)
      return request.readBody(bytesMax, progress, owner.callerDisconnected);
    watch(progress, owner);
    try {
      const body = await request.readBody(bytesMax, progress, owner.callerDisconnected);
      return body === 'left' && progress.isTooSlow ? 'late' : body;
    } finally {
      progress.timer?.cancel();
      if (progress.isSlow) slow.add(owner.keyId, -1);
    }
  }

  function watch(progress: BodyProgress, { keyId, callerDisconnected }: BodyOwner) {
    progress.timer = quick.begin(() => {
      progress.isSlow = true;
      slow.add(keyId, 1);
      // A delayed check by this process is not the client's fault.
      checkProgress(progress, clock.monotonic() - slowBodies.afterMs, callerDisconnected.fire);
    });
  }

  function checkProgress(progress: BodyProgress, sinceMs: number, abort: () => void) {
    const nowMs = clock.monotonic();
    const hasMs =
      slowBodies.graceMs + (progress.arrivedBytes / slowBodies.bytesPerSecondMin) * 1_000;
    const remainingMs = sinceMs + hasMs - nowMs;
    if (remainingMs <= 0) {
      progress.isTooSlow = true;
      return abort();
    }
    const waitMs = Math.ceil(remainingMs);
    progress.timer = clock.after(waitMs, () => {
      checkProgress(progress, sinceMs + (clock.monotonic() - nowMs - waitMs), abort);
    });
  }
}

interface BodyProgress extends BodyRoom {
  isSlow: boolean;
  isTooSlow: boolean;
  timer: Timer | undefined;
}
