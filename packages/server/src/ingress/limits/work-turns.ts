import { createFairQueue } from '../../lib/fair-queue.ts';
import type { Processor } from '../../lib/processor.ts';
import type { Turns } from '../../lib/work.ts';

/**
 * Large pieces of work, on bodies, responses and answers, are done one per turn of the event loop,
 * apps taking turns: small ones go on in between. ADR 0111.
 */
export interface WorkTurns extends Turns {
  /** Whether any waits for its turn. */
  isWaiting(): boolean;
}

/** From so long work on, others have as much of the loop before the next of it. */
const pauseFromMs = 2;
/** While they have it all the same, work goes on after so many times the time it took. */
const pauseTimesMax = 4;

/** No work waits; `isShared` says whether several apps ask. */
export function createWorkTurns(parts: {
  readonly processor: Pick<Processor, 'nowMs' | 'idleMs' | 'after'>;
  readonly isShared: () => boolean;
}): WorkTurns {
  const { processor, isShared } = parts;
  const queue = createFairQueue<() => void>();
  let isTaken = false;
  return {
    next,
    rest: (startedMs) => new Promise((goOn) => leaveLoop(startedMs, goOn)),
    end: (startedMs) => leaveLoop(startedMs, begin),
    isWaiting: () => queue.count() > 0,
  };

  function next(app: string, place?: 'ahead'): Promise<void> {
    if (isTaken) return new Promise((resolve) => queue.add(app, resolve, place));
    isTaken = true;
    return Promise.resolve();
  }

  /** Others have the loop before `goOn` runs. */
  function leaveLoop(startedMs: number, goOn: () => void) {
    const nowMs = processor.nowMs();
    const tookMs = nowMs - startedMs;
    if (tookMs < pauseFromMs || !isShared()) return processor.after(0, goOn);
    pause({ idleMs: processor.idleMs() + tookMs, endMs: nowMs + pauseTimesMax * tookMs, goOn });
  }

  /**
   * A call needs several turns: one per turn would leave no more to others than their first. They
   * have had theirs once the loop was idle for so long, or time is up.
   */
  function pause(until: Pause) {
    const leftMs = Math.min(until.idleMs - processor.idleMs(), until.endMs - processor.nowMs());
    if (leftMs > 0) processor.after(Math.max(1, leftMs), () => pause(until));
    else until.goOn();
  }

  function begin() {
    const resolve = queue.take();
    isTaken = resolve !== undefined;
    resolve?.();
  }
}

interface Pause {
  readonly idleMs: number;
  readonly endMs: number;
  readonly goOn: () => void;
}
