import { setTimeout as sleep } from 'node:timers/promises';

/** The one time limit of every wait in tests, benchmarks and checks. */
export const waitMsMax = 300_000;

/** The time between two checks of a condition. */
export const pollMs = 5;

/**
 * Waits until a condition holds and returns its value; `false` and `undefined` mean "not yet". At
 * the time limit, the error contains the condition's text, or `what` with all facts of that time.
 */
export async function until<Value>(
  condition: () => Value | false | undefined | Promise<Value | false | undefined>,
  what: () => string = () => String(condition),
): Promise<Value> {
  const endMs = performance.now() + waitMsMax;
  for (;;) {
    // Read before the condition, to give it a last check on a busy machine.
    const isLast = performance.now() > endMs;
    const value = await condition();
    if (value !== false && value !== undefined) return value;
    if (isLast) throw new Error(`not within ${waitMsMax / 1_000} s: ${what()}`);
    await sleep(pollMs);
  }
}
