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
