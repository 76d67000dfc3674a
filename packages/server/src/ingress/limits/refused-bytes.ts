import type { Plan } from '../../domain/plan.ts';
import type { PlanLimiter } from './rate/plan-limiter.ts';

/** Charges keys for bodies that were read for nothing. */
export interface RefusedBytes {
  /** A body of so many bytes was refused. */
  add(keyId: string, plan: Plan, bytes: number): void;
}

/** For each of these a key pays one request of its rate. */
export const chargedBytes = 1_048_576;

/**
 * A refusal reads and parses what it refuses, and costs its caller no money: the rate of its key
 * pays for it, never its daily quota. What is less than a MiB is added up. ADR 0030.
 */
export function createRefusedBytes(limiter: Pick<PlanLimiter, 'charge'>): RefusedBytes {
  // Fewer than there are keys.
  const rests = new Map<string, number>();
  return {
    add(keyId, plan, bytes) {
      const all = (rests.get(keyId) ?? 0) + bytes;
      const requests = Math.floor(all / chargedBytes);
      rests.set(keyId, all - requests * chargedBytes);
      if (requests > 0) limiter.charge(keyId, plan, requests);
    },
  };
}
