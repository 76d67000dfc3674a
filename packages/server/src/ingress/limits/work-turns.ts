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

/** From so long work on, others have as long before the next of it. */
const pauseFromMs = 5;

/** No work waits; `isShared` says whether several apps ask. */
export function createWorkTurns(parts: {
  readonly processor: Pick<Processor, 'nowMs' | 'after'>;
  readonly isShared: () => boolean;
}): WorkTurns {
  const { processor, isShared } = parts;
  const queue = createFairQueue<() => void>();
  const none: ReadonlySet<string> = new Set();
  let isTaken = false;
  let waiting = 0;
  return { next, end, isWaiting: () => waiting > 0 };

  function next(app: string): Promise<void> {
    if (isTaken) {
      waiting += 1;
      return new Promise((resolve) => queue.add(app, resolve));
    }
    isTaken = true;
    return Promise.resolve();
  }

  function end(startedMs: number) {
    const tookMs = processor.nowMs() - startedMs;
    // A call needs several turns: one per turn would leave no more to others than their first.
    processor.after(tookMs >= pauseFromMs && isShared() ? tookMs : 0, begin);
  }

  function begin() {
    const resolve = queue.take(none);
    isTaken = resolve !== undefined;
    if (resolve === undefined) return;
    waiting -= 1;
    resolve();
  }
}
