import type { Plan } from '../../../domain/plan.ts';

export type PlanVerdict =
  | { readonly kind: 'allowed' }
  /** The rate of the key or the app. `waitMs`: time until the next request fits. */
  | RateExceeded
  /** Until 00:00 UTC. */
  | { readonly kind: 'limit-exceeded' }
  | { readonly kind: 'unavailable'; readonly error: unknown };

interface RateExceeded {
  readonly kind: 'too-many';
  readonly waitMs: number;
  readonly isOfApp?: boolean;
}

/** One bucket for all keys of an app, without a quota. */
export interface AppRate {
  readonly id: string;
  readonly plan: Plan;
}

const unlimited = 1e12;

export function appRateOf(name: string, ratePerSecond: number): AppRate {
  // The requests of one second may come at once.
  const burst = Math.ceil(ratePerSecond);
  return { id: `app:${name}`, plan: { ratePerSecond, burst, requestsPerDay: unlimited } };
}

export function longerRefusal(
  ofKey: PlanVerdict | undefined,
  ofApp: PlanVerdict | undefined,
): PlanVerdict | undefined {
  if (ofApp?.kind !== 'too-many') return ofKey;
  if (ofKey?.kind === 'too-many' && ofKey.waitMs >= ofApp.waitMs) return ofKey;
  return ofAppRate(ofApp);
}

export function ofAppRate(verdict: PlanVerdict): PlanVerdict {
  return verdict.kind === 'too-many' ? { ...verdict, isOfApp: true } : verdict;
}

export interface PlanLimiter {
  /**
   * Takes from both rates, key and app, or from neither. A throttled request uses no quota. A
   * promise only if the store must decide.
   */
  take(keyId: string, plan: Plan, app?: AppRate): PlanVerdict | Promise<PlanVerdict>;
  /** Takes rate but no quota. A deficit blocks all requests until the bucket refills. */
  charge(keyId: string, plan: Plan, requests: number): void;
  /** Writes the used part, and returns the rest. */
  stop(): Promise<void>;
}

/** In bursts: the default-size bodies that a key can send at once. */
export const owedBurstsMax = 5;

export const allowed = { kind: 'allowed' } as const satisfies PlanVerdict;

export const limitExceeded = { kind: 'limit-exceeded' } as const satisfies PlanVerdict;
