import type { Clock } from '../../lib/clock.ts';
import type { Store } from './port.ts';

/**
 * With this process's timers. All replicas share the day: a wrong clock neither opens tomorrow's
 * budget early nor ends others' holds.
 */
export function storeClock(store: Pick<Store, 'clock'>, clock: Clock): Clock {
  const { clock: server } = store;
  if (server === undefined) return clock;
  return { ...clock, now: () => Math.floor(clock.now() + server.skewMs()) };
}

/**
 * For idempotency keys. An embedded store has only this process's clock; if set forward, keys of
 * fresh answers would end and their calls be paid again. So it continues monotonically.
 */
export function keyClock(store: Pick<Store, 'clock'>, clock: Clock): Pick<Clock, 'now'> {
  // A database's time is the time of every replica: what one measured by itself would differ.
  if (store.clock !== undefined) return storeClock(store, clock);
  const startMs = clock.now() - clock.monotonic();
  return { now: () => Math.floor(startMs + clock.monotonic()) };
}
