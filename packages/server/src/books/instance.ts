import type { Operation } from './operations.ts';

export const instanceDeadMs = 10_000;

/** Instances seen since this time are alive for the batch. */
export function instancesSince(batch: readonly Operation[]): number {
  let now = 0;
  for (const operation of batch) {
    if (operation.kind === 'reserve' && operation.now > now) now = operation.now;
  }
  return now - instanceDeadMs;
}
