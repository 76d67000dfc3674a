import type { Clock } from '../../lib/clock.ts';
import type { Store } from './port.ts';

/**
 * Uses this process's timers. All replicas share the day: a wrong clock neither opens tomorrow's
 * budget early nor ends other replicas' reservations.
 */
export function storeClock(store: Pick<Store, 'clock'>, clock: Clock): Clock {
  const { clock: server } = store;
  if (server === undefined) return clock;
  return { ...clock, now: () => Math.floor(clock.now() + server.skewMs()) };
}

/**
 * For idempotency keys. An embedded store has only this process's clock. If that is set forward,
 * keys of fresh responses would expire and their calls be billed again. So this clock continues
 * monotonically.
 */
export function keyClock(store: Pick<Store, 'clock'>, clock: Clock): Pick<Clock, 'now'> {
  // All replicas share the database's time; a locally measured time would differ.
  if (store.clock !== undefined) return storeClock(store, clock);
  const startMs = clock.now() - clock.monotonic();
  return { now: () => Math.floor(startMs + clock.monotonic()) };
}
