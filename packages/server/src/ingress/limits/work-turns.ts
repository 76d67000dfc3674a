import { createFairQueue } from '../../lib/fair-queue.ts';
import type { Processor } from '../../lib/processor.ts';
import type { Turns } from '../../lib/work.ts';

/**
 * Large work runs once per turn of the event loop, and apps alternate. Small work continues
 * between. ADR 0111.
 */
export interface WorkTurns extends Turns {
  isWaiting(): boolean;
}

/** After work of at least this time, others get the loop for as long. */
const pauseFromMs = 2;
/** Limits that pause, as a multiple of the work's time. */
const pauseTimesMax = 4;

export function createWorkTurns(parts: {
  readonly processor: Pick<Processor, 'nowMs' | 'idleMs' | 'after'>;
  readonly isShared: () => boolean;
}): WorkTurns {
  const { processor, isShared } = parts;
  const queue = createFairQueue<() => void>();
  let isBusy = false;
  return {
    next,
    rest: (startedMs) => new Promise((resume) => leaveLoop(startedMs, resume)),
    end: (startedMs) => leaveLoop(startedMs, begin),
    isWaiting: () => queue.count() > 0,
  };

  function next(app: string, position?: 'ahead'): Promise<void> {
    if (isBusy) return new Promise((resolve) => queue.add(app, resolve, position));
    isBusy = true;
    return Promise.resolve();
  }

  function leaveLoop(startedMs: number, resume: () => void) {
    const nowMs = processor.nowMs();
    const tookMs = nowMs - startedMs;
    if (tookMs < pauseFromMs || !isShared()) return processor.after(0, resume);
    pause({ idleMs: processor.idleMs() + tookMs, endMs: nowMs + pauseTimesMax * tookMs, resume });
  }

  /**
   * The calls of others need several turns, so one turn is too short. The pause ends after enough
   * idle time, or at its end time.
   */
  function pause(until: Pause) {
    const remainingMs = Math.min(
      until.idleMs - processor.idleMs(),
      until.endMs - processor.nowMs(),
    );
    if (remainingMs > 0) processor.after(Math.max(1, remainingMs), () => pause(until));
    else until.resume();
  }

  function begin() {
    const resolve = queue.take();
    isBusy = resolve !== undefined;
    resolve?.();
  }
}

interface Pause {
  readonly idleMs: number;
  readonly endMs: number;
  readonly resume: () => void;
}
