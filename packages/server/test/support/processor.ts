import type { Clock } from '../../src/lib/clock.ts';
import type { Processor } from '../../src/lib/processor.ts';
import type { RequestWork } from '../../src/lib/work.ts';

/** A processor that a test controls: each piece of work needs this much time on it. */
export function heldProcessor(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  { pieceMs = 0, use = 0 } = {},
) {
  let spentMs = 0;
  const processor: Processor & { use: number } = {
    use,
    nowMs() {
      spentMs += pieceMs;
      return clock.monotonic() + spentMs;
    },
    after(waitMs, run) {
      if (waitMs === 0) setImmediate(run);
      else clock.after(waitMs, run);
    },
    idleMs: () => clock.monotonic(),
    loopUse: () => processor.use,
  };
  return processor;
}

/** Work without an app. */
export const uncounted: RequestWork = {
  ...{ nowMs: () => 0, note: () => undefined, turn: async () => undefined },
  ...{ app: 'search', keyId: 'key', route: 'chat' },
};
