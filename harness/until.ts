import { setTimeout as sleep } from 'node:timers/promises';

/** The one time limit of every wait in tests, benchmarks and checks. */
export const waitMsMax = 300_000;

/** The time between two looks at a condition. */
export const pollMs = 5;

/**
 * Waits until a condition holds and returns its value; `false` and `undefined` mean "not yet". The
 * error at the time limit contains the condition's text, or `what` with all that is known then.
 */
export async function until<Value>(
  condition: () => Value | false | undefined | Promise<Value | false | undefined>,
  what: () => string = () => String(condition),
): Promise<Value> {
  const endMs = performance.now() + waitMsMax;
  for (;;) {
    // Read before the condition: what a busy machine was late to look at has a last look.
    const isLast = performance.now() > endMs;
    const value = await condition();
    if (value !== false && value !== undefined) return value;
    if (isLast) throw new Error(`not within ${waitMsMax / 1_000} s: ${what()}`);
    await sleep(pollMs);
  }
}
