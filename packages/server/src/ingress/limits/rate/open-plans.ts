import { type Clock, utcDayOf } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Store } from '../../../store/port/port.ts';
import { keyClock } from '../../../store/port/store-clock.ts';
import { createLeasedPlans } from './leased-plans.ts';
import { openLocalPlans } from './local-plans.ts';
import type { PlanLimiter } from './plan-limiter.ts';

export async function openPlans(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<PlanLimiter> {
  const { store, clock, log } = parts;
  const { acquire } = store;
  if (acquire === undefined) return openLocalPlans(parts);
  const steady = keyClock(store, clock);
  const ownTime = () => ({ day: utcDayOf(clock.now()), nowMs: steady.now() });
  const time = store.clock === undefined ? ownTime : () => undefined;
  return createLeasedPlans({ acquire, time, clock, log });
}
