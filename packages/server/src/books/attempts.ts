import { smaller } from '../lib/money.ts';
import type { Reprice } from './operations.ts';
import type { Attempt, CallEnd } from './rows.ts';
import { isUnpriced } from './usage.ts';

/**
 * The attempts of a call whose cost was put right: together they cost that much. What platforms
 * have stated stays, as far as it goes; then come estimates, and the last one has what is left.
 */
export function correctedAttempts(attempts: readonly Attempt[], cost: bigint): readonly Attempt[] {
  let left = cost;
  const take = (amount: bigint) => {
    const taken = smaller(amount, left);
    left -= taken;
    return taken;
  };
  const stated = attempts.map((attempt) => (isEstimate(attempt) ? 0n : take(attempt.cost)));
  const costs = attempts.map((attempt, index) =>
    isEstimate(attempt) ? take(attempt.cost) : (stated[index] ?? 0n),
  );
  return attempts.map((attempt, index) => {
    const rest = index === attempts.length - 1 ? left : 0n;
    return { ...attempt, cost: (costs[index] ?? 0n) + rest, basis: 'corrected' };
  });
}

/** The attempts of a call of which those without a price have one now. */
export function repricedAttempts(
  attempts: readonly Attempt[],
  { priceVersion, attempts: priced = [] }: Reprice,
): readonly Attempt[] {
  return attempts.map((attempt) => {
    const found = priced.find(({ n }) => n === attempt.n);
    if (found === undefined || !isUnpriced(attempt.priceVersion)) return attempt;
    const basis = attempt.isCounted ? 'corrected' : attempt.basis;
    return { ...attempt, priceVersion, cost: found.cost, basis };
  });
}

/** Whether attempts come to a cost, and to what of it is an estimate. */
export function isCostOf(
  attempts: readonly Attempt[],
  { cost, estimated }: Pick<CallEnd, 'cost' | 'estimated'>,
): boolean {
  const sum = (rows: readonly Attempt[]) => rows.reduce((total, row) => total + row.cost, 0n);
  return sum(attempts) === cost && sum(attempts.filter(isEstimate)) === estimated;
}

function isEstimate({ basis }: Attempt): boolean {
  return basis === 'estimated';
}
