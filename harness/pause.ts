import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lets time pass between two steps of a load, or before the answer of a slow platform. No result
 * may depend on it: a test waits for its condition with `until`.
 */
export function pause(ms: number): Promise<void> {
  return sleep(ms);
}
