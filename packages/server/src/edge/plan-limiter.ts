import type { Plan } from '../config/config.ts';
import { type Clock, utcDayOf } from '../lib/clock.ts';

/** What a plan says of one request. */
export type PlanVerdict =
  | { readonly kind: 'allowed' }
  /** Over the rate; `waitMs` is when the next request fits. */
  | { readonly kind: 'too-many'; readonly waitMs: number }
  /** Over the day's quota, until 00:00 UTC. */
  | { readonly kind: 'limit-exceeded' };

/** Counts the requests of each API key against its plan. */
export interface PlanLimiter {
  /** Takes one request from a key's plan. A throttled one uses no quota. */
  take(keyId: string, plan: Plan): PlanVerdict;
}

interface Count {
  tokens: number;
  refilledAtMs: number;
  day: string;
  used: number;
}

/**
 * A bucket of `burst`, full at first, refilled at `ratePerSecond`, and a count for each UTC day.
 */
export function createPlanLimiter({ clock }: { clock: Clock }): PlanLimiter {
  const counts = new Map<string, Count>();
  return {
    take(keyId, plan) {
      const count = counts.get(keyId) ?? start(plan);
      counts.set(keyId, count);
      refill(count, plan);
      if (count.tokens < 1) {
        return { kind: 'too-many', waitMs: ((1 - count.tokens) / plan.ratePerSecond) * 1000 };
      }
      count.tokens -= 1;
      const day = utcDayOf(clock.now());
      if (day !== count.day) {
        count.day = day;
        count.used = 0;
      }
      count.used += 1;
      return count.used > plan.requestsPerDay ? { kind: 'limit-exceeded' } : { kind: 'allowed' };
    },
  };

  function start(plan: Plan): Count {
    return { tokens: plan.burst, refilledAtMs: clock.monotonic(), day: '', used: 0 };
  }

  function refill(count: Count, plan: Plan) {
    const nowMs = clock.monotonic();
    const gained = ((nowMs - count.refilledAtMs) / 1000) * plan.ratePerSecond;
    count.tokens = Math.min(plan.burst, count.tokens + gained);
    count.refilledAtMs = nowMs;
  }
}
