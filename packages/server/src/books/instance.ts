import type { Operation } from './operations.ts';

/** An instance that was not seen for so long is dead. */
export const instanceDeadMs = 10_000;

/** Instances that were seen since this moment are alive, as far as a batch is concerned. */
export function instancesSince(batch: readonly Operation[]): number {
  let now = 0;
  for (const operation of batch) {
    if (operation.kind === 'reserve' && operation.now > now) now = operation.now;
  }
  return now - instanceDeadMs;
}
