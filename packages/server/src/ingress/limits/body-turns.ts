import { createFairQueue } from '../../lib/fair-queue.ts';
import type { Processor } from '../../lib/processor.ts';

/**
 * Large bodies are worked on one per turn of the event loop, apps taking turns: requests with
 * small ones go on in between. ADR 0111.
 */
export interface BodyTurns {
  /** Resolves when it is the turn of a large body of the app; `end` must follow. */
  next(app: string): Promise<void>;
  /** The work that began then waits for something, or is done: the turn is over. */
  end(startedMs: number): void;
  /** Whether any waits for its turn. */
  isWaiting(): boolean;
}

/** A body of more bytes is large. */
export const largeBodyBytes = 16_384;

/** From so long work on, others have as long before the next of it. */
const pauseFromMs = 5;

/** No body waits; `isShared` says whether several apps ask. */
export function createBodyTurns(parts: {
  readonly processor: Pick<Processor, 'nowMs' | 'after'>;
  readonly isShared: () => boolean;
}): BodyTurns {
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
