import type { Runtime } from '../runtime.ts';
import { FakeScriptError } from './script-error.ts';

/** What a scripted gateway throws that never answers. */
export const silence: unique symbol = Symbol('the gateway never answers');

/**
 * A runtime in which calls take no real time: a wait before a retry is over at once, and a time
 * limit is up when the gateway never answers. What tools and steps do takes the time that it takes.
 */
export function createFakeRuntime(): Omit<Runtime, 'epochMs' | 'after'> {
  let passedMs = 0;
  let keys = 0;
  return {
    monotonicMs: () => passedMs,
    afterLimit: () => () => undefined,
    afterPause: (waitMs, run) => {
      let isStopped = false;
      // Not a timer: tests that hold the machine's would wait for ever.
      void Promise.resolve().then(() => {
        if (isStopped) return;
        passedMs += waitMs;
        run();
      });
      return () => {
        isStopped = true;
      };
    },
    // No jitter, so that a test knows the waits.
    random: () => 0,
    uuid: () => {
      keys += 1;
      return `fake-key-${keys}`;
    },
    standsFor: (thrown) => {
      if (thrown === silence) return 'silence';
      return thrown instanceof FakeScriptError ? 'mistake' : undefined;
    },
  };
}
