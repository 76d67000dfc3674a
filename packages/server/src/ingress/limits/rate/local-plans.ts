import type { Plan } from '../../../domain/plan.ts';
import { type Clock, utcDayOf } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import type { Store } from '../../../store/port.ts';
import { type LocalUse, openLocalUses } from './local-uses.ts';
import {
  allowed,
  limitExceeded,
  owedBurstsMax,
  type PlanLimiter,
  type PlanVerdict,
} from './plan-limiter.ts';

/** Far below the time of one request, and far above what sums of fractions lose. */
const roundingMs = 1e-6;

/**
 * Plans in the memory of the one process that has the store: a bucket of `burst`, full at first,
 * refilled at `ratePerSecond`, and a count for each UTC day.
 */
export async function openLocalPlans(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<PlanLimiter> {
  const { clock } = parts;
  const uses = await openLocalUses(parts);
  return { take, charge, stop: uses.stop };

  function take(keyId: string, plan: Plan): PlanVerdict {
    const use = uses.get(keyId);
    const nowMs = clock.monotonic();
    const requestMs = 1_000 / plan.ratePerSecond;
    const debtMs = debtOf(use, plan, nowMs);
    const waitMs = debtMs - (plan.burst - 1) * requestMs;
    if (waitMs > roundingMs) return { kind: 'too-many', waitMs };
    uses.changed(keyId);
    use.fullAtMs = nowMs + debtMs + requestMs;
    use.sinceMs = nowMs;
    use.owed = 0;
    const day = utcDayOf(clock.now());
    if (day !== use.day) {
      use.day = day;
      use.used = 0;
    }
    if (use.used >= plan.requestsPerDay) return limitExceeded;
    use.used += 1;
    return allowed;
  }

  function charge(keyId: string, plan: Plan, requests: number) {
    const use = uses.get(keyId);
    const nowMs = clock.monotonic();
    const requestMs = 1_000 / plan.ratePerSecond;
    const lacking = debtOf(use, plan, nowMs) / requestMs + requests;
    const debt = Math.min(lacking, plan.burst * (1 + owedBurstsMax));
    use.fullAtMs = nowMs + debt * requestMs;
    use.sinceMs = nowMs;
    use.owed = Math.max(0, debt - plan.burst);
    uses.changed(keyId);
  }
}

/** For how long a bucket refills until it is full. */
function debtOf(use: LocalUse, plan: Plan, nowMs: number): number {
  // A bucket lacks no more than all that fits in it, and what is owed. One that seems to has
  // another plan now, or was written by a wall clock that has been set back: it must not refuse
  // until that moment has come.
  const most = ((plan.burst + use.owed) * 1_000) / plan.ratePerSecond;
  use.fullAtMs = Math.min(use.fullAtMs, use.sinceMs + most);
  return Math.max(0, use.fullAtMs - nowMs);
}
