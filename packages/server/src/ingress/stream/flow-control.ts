import type { StreamLimits } from '../../domain/limits.ts';
import type { Clock, Timer } from '../../lib/clock.ts';

export interface FlowControl {
  recordWritten(bytes: number): void;
  recordSent(bytes: number): void;
  unsentBytes(): number;
  pausedMs(): number;
  stop(): void;
}

export interface FlowControlParts {
  readonly limits: Pick<StreamLimits, 'aheadBytes' | 'stallMs'>;
  readonly clock: Clock;
  readonly isBehind: () => boolean;
  /** Above {@link heldFrom} unsent bytes; then at or below it again. */
  readonly onHold: () => void;
  readonly onRelease: () => void;
  /**
   * Runs once: the client read nothing for `stallMs`, or the platform was paused for that total
   * time.
   */
  readonly onStalled: () => void;
}

/** Bytes that arrive after a pause: two reads, and their output. */
const onItsWayBytes = 32_768;

/**
 * Pauses early: unsent bytes plus bytes in transit stay within `aheadBytes`. A smaller limit
 * applies unchanged.
 */
export function heldFrom({ aheadBytes }: Pick<StreamLimits, 'aheadBytes'>): number {
  return Math.max(Math.min(aheadBytes, onItsWayBytes), aheadBytes - onItsWayBytes);
}

export function createFlowControl(parts: FlowControlParts): FlowControl {
  const { limits, clock, isBehind } = parts;
  const heldAbove = heldFrom(limits);
  let unsent = 0;
  let movedAtMs = 0;
  let pausedMs = 0;
  let heldSinceMs: number | undefined;
  // One timer for many writes. It checks when due, and usually finds nothing unsent.
  let timer: Timer | undefined;
  return {
    recordWritten(bytes) {
      if (unsent === 0) movedAtMs = clock.monotonic();
      unsent += bytes;
      if (heldSinceMs === undefined && unsent > heldAbove) hold();
      else if (timer === undefined) checkIn(limits.stallMs);
    },
    recordSent(bytes) {
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
    // Less time might be left than planned: earlier pauses count, and so does time without reads.
    checkIn(limits.stallMs - Math.max(pausedMs, nowMs - movedAtMs));
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

  function checkIn(delayMs: number) {
    timer?.cancel();
    timer = clock.after(Math.max(1, Math.ceil(delayMs)), check);
  }

  function check() {
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
    else checkIn(limits.stallMs - spentMs);
  }
}
