import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A pause between two steps of a load, or before the response of a slow platform. No result may
 * depend on it: a test waits for its condition with `until`.
 */
export function pause(ms: number): Promise<void> {
  return sleep(ms);
}
