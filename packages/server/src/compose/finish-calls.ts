import type { Drains } from '../calls/detached.ts';
import type { Edge } from '../ingress/ingress.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Clock } from '../lib/clock.ts';
import { within } from '../lib/deadline.ts';

/** How long the last settlements may take once all calls were ended: a commit or two. */
const lastSettlementsMs = 2_000;

/**
 * Lets the calls of a process that stops come to their end: requests are answered, drains are
 * settled. What still runs after `stopMs` is ended and booked as estimated. Answers how many calls
 * could not be settled even so, because the store was away: their holds are left to the expiry, by
 * a replica or by the next start. It never takes much longer than `stopMs`. ADR 0018.
 */
export async function finishCalls(parts: {
  readonly edge: Edge;
  readonly drains: Drains;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly stopMs: number;
}): Promise<number> {
  const { edge, drains, ledger, clock, stopMs } = parts;
  const ending = clock.after(stopMs, endAll, { keepAlive: true });
  await within(clock, stopMs + lastSettlementsMs, ended());
  ending.cancel();
  // From here on nothing may begin, since the store is about to be closed.
  endAll();
  return ledger.end();

  function endAll() {
    edge.endAll();
    drains.cutAll();
  }

  async function ended() {
    await edge.idle();
    await ledger.idle();
  }
}
