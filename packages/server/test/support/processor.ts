import type { Clock } from '../../src/lib/clock.ts';
import type { Processor } from '../../src/lib/processor.ts';
import type { RequestWork } from '../../src/lib/work.ts';

/** A processor that a test holds: no work takes time on it, unless the clock is set forward. */
export function heldProcessor(clock: Pick<Clock, 'monotonic'>): Processor {
  return {
    nowMs: clock.monotonic,
    after: (_waitMs, run) => void setImmediate(run),
    loopUse: () => 0,
  };
}

/** Work that is of no app. */
export const uncounted: RequestWork = {
  ...{ nowMs: () => 0, note: () => undefined, turn: async () => undefined },
  ...{ app: 'search', keyId: 'key', route: 'chat' },
};
