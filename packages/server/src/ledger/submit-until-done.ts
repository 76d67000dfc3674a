import type { Expire, Outcome, Settle } from '../books/operations.ts';
import { type Clock, sleep } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { OneShot } from '../lib/one-shot.ts';
import { LedgerError, type LedgerQueue } from './queue.ts';

const retryMs = { first: 50, most: 2_000 } as const;

/**
 * Submits what ends a call, again and again while the store is away: the same operation may be
 * repeated. It gives up when the operation itself is broken, or once `ending` has fired.
 */
export function createSubmitUntilDone(parts: {
  readonly queue: LedgerQueue;
  readonly clock: Clock;
  readonly log: Log;
  readonly ending: OneShot;
}) {
  const { queue, clock, log, ending } = parts;
  return async (operation: Settle | Expire, callId: string): Promise<Outcome | undefined> => {
    let delayMs: number = retryMs.first;
    while (true) {
      try {
        return await queue.submit(operation);
      } catch (error) {
        const { kind } = operation;
        log.error({ callId, kind, error: String(error) }, 'the end of a call did not go through');
        if (error instanceof LedgerError && error.kind === 'invalid') throw error;
        if (!(await sleep(clock, delayMs, ending))) throw error;
        delayMs = Math.min(delayMs * 2, retryMs.most);
      }
    }
  };
}
