import { createFairQueue } from '../../lib/fair-queue.ts';
import type { Processor } from '../../lib/processor.ts';

/**
 * Large bodies are worked on one per turn of the event loop, apps taking turns: requests with
 * small ones go on in between. ADR 0111.
 */
export interface BodyTurns {
  /** Runs it at once, or in its turn; the turn lasts until `run` waits for something. */
  run<T>(app: string, run: () => Promise<T>): Promise<T>;
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
  const nobody: ReadonlySet<string> = new Set();
  let isTaken = false;
  let waiting = 0;
  return { run, isWaiting: () => waiting > 0 };

  function run<T>(app: string, work: () => Promise<T>): Promise<T> {
    if (!isTaken) return take(work);
    waiting += 1;
    return new Promise((resolve) => {
      queue.add(app, () => resolve(take(work)));
    });
  }

  function take<T>(work: () => Promise<T>): Promise<T> {
    isTaken = true;
    const startedMs = processor.nowMs();
    const working = work();
    const tookMs = processor.nowMs() - startedMs;
    // A call needs several turns: one per turn would leave no more to others than their first.
    processor.after(tookMs >= pauseFromMs && isShared() ? tookMs : 0, next);
    return working;
  }

  function next() {
    isTaken = false;
    const work = queue.take(nobody);
    if (work === undefined) return;
    waiting -= 1;
    work();
  }
}
