import type { Plan } from '../../../domain/plan.ts';

export type PlanVerdict =
  | { readonly kind: 'allowed' }
  /** The key's or the app's rate; `waitMs`: until the next request fits. */
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
  // What one second brings may come at once.
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
   * Takes from key and app rate, or from neither. A throttled request uses no quota. A promise only
   * where the store must be asked.
   */
  take(keyId: string, plan: Plan, app?: AppRate): PlanVerdict | Promise<PlanVerdict>;
  /** Takes rate but no quota. The missing part blocks all requests until it refills. */
  charge(keyId: string, plan: Plan, requests: number): void;
  /** Writes the used part, and returns the rest. */
  stop(): Promise<void>;
}

/** In bursts: as many default-size bodies as a key can send at once. */
export const owedBurstsMax = 5;

export const allowed = { kind: 'allowed' } as const satisfies PlanVerdict;

export const limitExceeded = { kind: 'limit-exceeded' } as const satisfies PlanVerdict;
