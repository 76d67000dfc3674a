import type { Plan } from '../../domain/plan.ts';
import type { PlanLimiter } from './rate/plan-limiter.ts';

/** Charges keys for bodies that were read for nothing. */
export interface RefusedBodies {
  /** A body of so many bytes and JSON values was refused. */
  add(keyId: string, plan: Plan, bytes: number, values: number): void;
}

/** For each of these a key pays one request of its rate, for whichever it is more. */
export const chargedBytes = 1_048_576;
const chargedValues = 20_000;

/**
 * A refusal reads and parses what it refuses, and costs its caller no money: the rate of its key
 * pays for it, never its daily quota. Less than one request is added up. ADR 0030, 0111.
 */
export function createRefusedBodies(limiter: Pick<PlanLimiter, 'charge'>): RefusedBodies {
  // Fewer than there are keys.
  const rests = new Map<string, number>();
  return {
    add(keyId, plan, bytes, values) {
      // In whole numbers: a request is so many bytes times so many values.
      const parts = Math.max(bytes * chargedValues, values * chargedBytes);
      const all = (rests.get(keyId) ?? 0) + parts;
      const requests = Math.floor(all / (chargedBytes * chargedValues));
      rests.set(keyId, all - requests * chargedBytes * chargedValues);
      if (requests > 0) limiter.charge(keyId, plan, requests);
    },
  };
}
