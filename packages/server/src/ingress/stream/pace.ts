import type { StreamLimits } from '../../domain/limits.ts';
import type { Clock, Timer } from '../../lib/clock.ts';

/** How fast a client takes a stream: bytes that it has not taken, and for how long. */
export interface Pace {
  /** So many bytes are on their way to it. */
  written(bytes: number): void;
  /** Its socket has accepted so many of them. */
  taken(bytes: number): void;
  unsentBytes(): number;
  /** For how long its platform was held back, in all. */
  pausedMs(): number;
  /** Nothing is watched any more. */
  stop(): void;
}

/** What is told of a client's pace. */
export interface PaceParts {
  readonly limits: Pick<StreamLimits, 'aheadBytes' | 'stallMs'>;
  readonly clock: Clock;
  /** Whether its client cannot read it yet: that is no fault of its client. */
  readonly isBehind: () => boolean;
  /** More than {@link heldFrom} are unsent; no more than those are. */
  readonly onHold: () => void;
  readonly onRelease: () => void;
  /** It took nothing for `stallMs`, or its platform was held back for so long in all. Once. */
  readonly onStalled: () => void;
}

/** What a platform sends on until it is held back: two reads of it, and what is made of them. */
const onItsWayBytes = 32_768;

/**
 * So many unsent bytes hold a platform back: early, so that with what is on its way no more than
 * `aheadBytes` wait. Where that is less than comes in any case, it is what may be unsent.
 */
export function heldFrom({ aheadBytes }: Pick<StreamLimits, 'aheadBytes'>): number {
  return Math.max(Math.min(aheadBytes, onItsWayBytes), aheadBytes - onItsWayBytes);
}

/** Nothing is written yet. */
export function createPace(parts: PaceParts): Pace {
  const { limits, clock, isBehind } = parts;
  const heldAbove = heldFrom(limits);
  let unsent = 0;
  let movedAtMs = 0;
  let pausedMs = 0;
  let heldSinceMs: number | undefined;
  // One for many writes: it looks again when it is due, and most find nothing unsent.
  let timer: Timer | undefined;
  return {
    written(bytes) {
      if (unsent === 0) movedAtMs = clock.monotonic();
      unsent += bytes;
      if (heldSinceMs === undefined && unsent > heldAbove) hold();
      else if (timer === undefined) lookIn(limits.stallMs);
    },
    taken(bytes) {
      unsent -= bytes;
      movedAtMs = clock.monotonic();
      if (heldSinceMs !== undefined && unsent <= heldAbove) release();
    },
    unsentBytes: () => unsent,
    pausedMs: () => pausedMs + heldMs(),
    stop() {
      pausedMs += heldMs();
      heldSinceMs = undefined;
      timer?.cancel();
    },
  };

  function hold() {
    const nowMs = clock.monotonic();
    heldSinceMs = nowMs;
    // It may have been held before, so that less is left than since a look was planned; or have
    // taken nothing for a while, so that less is left than if it had just begun.
    lookIn(limits.stallMs - Math.max(pausedMs, nowMs - movedAtMs));
    parts.onHold();
  }

  function release() {
    pausedMs += heldMs();
    heldSinceMs = undefined;
    parts.onRelease();
  }

  function heldMs(): number {
    return heldSinceMs === undefined ? 0 : clock.monotonic() - heldSinceMs;
  }

  function lookIn(delayMs: number) {
    timer?.cancel();
    timer = clock.after(Math.max(1, Math.ceil(delayMs)), look);
  }

  function look() {
    timer = undefined;
    if (unsent === 0) return;
    const nowMs = clock.monotonic();
    if (isBehind()) {
      movedAtMs = nowMs;
      if (heldSinceMs !== undefined) heldSinceMs = nowMs;
    }
    const spentMs = Math.max(
      nowMs - movedAtMs,
      heldSinceMs === undefined ? 0 : pausedMs + heldMs(),
    );
    if (spentMs >= limits.stallMs) parts.onStalled();
    else lookIn(limits.stallMs - spentMs);
  }
}
