import type { Clock } from '../../src/lib/clock.ts';
import type { Processor } from '../../src/lib/processor.ts';

/** A processor that a test holds: no work takes time on it, unless the clock is set forward. */
export function heldProcessor(clock: Pick<Clock, 'monotonic'>): Processor {
  return {
    nowMs: clock.monotonic,
    after: (_waitMs, run) => void setImmediate(run),
    loopUse: () => 0,
  };
}
