import type { Operation } from './operations.ts';

export const instanceDeadMs = 10_000;

/** The batch treats instances with a heartbeat since this time as alive. */
export function instancesSince(batch: readonly Operation[]): number {
  let now = 0;
  for (const operation of batch) {
    if (operation.kind === 'reserve' && operation.now > now) now = operation.now;
  }
  return now - instanceDeadMs;
}
