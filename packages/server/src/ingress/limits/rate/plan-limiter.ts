import type { Plan } from '../../../domain/plan.ts';

/** What a plan says of one request. */
export type PlanVerdict =
  | { readonly kind: 'allowed' }
  /** Over the rate, the key's or the app's; `waitMs` is when the next request fits. */
  | TooMany
  /** Over the day's quota, until 00:00 UTC. */
  | { readonly kind: 'limit-exceeded' }
  /** The store that keeps the plan is away, and nothing leased before is left. */
  | { readonly kind: 'unavailable'; readonly error: unknown };

interface TooMany {
  readonly kind: 'too-many';
  readonly waitMs: number;
  /** Set where it is the rate of all keys of the app. */
  readonly isOfApp?: boolean;
}

/** The rate of all keys of an app together: a bucket as that of a plan, without a quota. */
export interface AppRate {
  /** What its use is kept under. No key has such an id. */
  readonly id: string;
  readonly plan: Plan;
}

/** No day has so many requests. */
const unlimited = 1e12;

/** The rate of an app's keys together. */
export function appRateOf(name: string, ratePerSecond: number): AppRate {
  // What one second brings may come at once.
  const burst = Math.ceil(ratePerSecond);
  return { id: `app:${name}`, plan: { ratePerSecond, burst, requestsPerDay: unlimited } };
}

/** Of two refusals the one that lasts longer: before its end no request fits. */
export function longerRefusal(
  ofKey: PlanVerdict | undefined,
  ofApp: PlanVerdict | undefined,
): PlanVerdict | undefined {
  if (ofApp?.kind !== 'too-many') return ofKey;
  if (ofKey?.kind === 'too-many' && ofKey.waitMs >= ofApp.waitMs) return ofKey;
  return ofAppRate(ofApp);
}

/** The verdict of an app's rate. */
export function ofAppRate(verdict: PlanVerdict): PlanVerdict {
  return verdict.kind === 'too-many' ? { ...verdict, isOfApp: true } : verdict;
}

/** Counts the requests of each API key against its plan. */
export interface PlanLimiter {
  /**
   * Takes one request from a key's plan, and from its app's rate where that has one: from both, or
   * from neither. A throttled one uses no quota. A promise only where the store must be asked.
   */
  take(keyId: string, plan: Plan, app?: AppRate): PlanVerdict | Promise<PlanVerdict>;
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
