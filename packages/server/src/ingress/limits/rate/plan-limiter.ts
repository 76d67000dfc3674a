import type { Plan } from '../../../domain/plan.ts';

/** What a plan says of one request. */
export type PlanVerdict =
  | { readonly kind: 'allowed' }
  /** Over the rate; `waitMs` is when the next request fits. */
  | { readonly kind: 'too-many'; readonly waitMs: number }
  /** Over the day's quota, until 00:00 UTC. */
  | { readonly kind: 'limit-exceeded' }
  /** The store that keeps the plan is away, and nothing leased before is left. */
  | { readonly kind: 'unavailable'; readonly error: unknown };

/** Counts the requests of each API key against its plan. */
export interface PlanLimiter {
  /**
   * Takes one request from a key's plan. A throttled one uses no quota. A promise only where the
   * store must be asked.
   */
  take(keyId: string, plan: Plan): PlanVerdict | Promise<PlanVerdict>;
  /**
   * Takes so many requests of the rate without any being made, and none of the quota. What is not
   * there yet is taken as it comes: until then no request is let through.
   */
  charge(keyId: string, plan: Plan, requests: number): void;
  /** Leaves in the store what was used, and no more. */
  stop(): Promise<void>;
}

/**
 * What a key can owe at most, in bursts: the bodies of as many requests as it can make at once, of
 * the default size.
 */
export const owedBurstsMax = 5;

/** The verdict of every request that fits. */
export const allowed = { kind: 'allowed' } as const satisfies PlanVerdict;

/** The verdict of every request above the day's quota. */
export const limitExceeded = { kind: 'limit-exceeded' } as const satisfies PlanVerdict;
