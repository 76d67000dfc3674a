import type { Clock } from '../lib/clock.ts';
import type { Store } from './port.ts';

/**
 * The store's time with this process's timers: every replica then has the same day, and a process
 * whose clock is wrong neither opens tomorrow's budget early nor ends the holds of others.
 */
export function storeClock(store: Pick<Store, 'clock'>, clock: Clock): Clock {
  const { clock: server } = store;
  if (server === undefined) return clock;
  return { ...clock, now: () => Math.floor(clock.now() + server.skewMs()) };
}

/**
 * The time that idempotency keys live by. An embedded store has no clock but this process's, which
 * an operator may set forward: keys of calls that were answered a moment ago would end, and the
 * calls be made and paid again. So their time goes on from here by the clock that is never set.
 */
export function keyClock(store: Pick<Store, 'clock'>, clock: Clock): Pick<Clock, 'now'> {
  // A database's time is the time of every replica: what one measured by itself would differ.
  if (store.clock !== undefined) return storeClock(store, clock);
  const startMs = clock.now() - clock.monotonic();
  return { now: () => Math.floor(startMs + clock.monotonic()) };
}
