import { smaller } from '../lib/money.ts';
import type { Reprice } from './operations.ts';
import type { Attempt, CallEnd } from './rows.ts';
import { isUnpriced } from './usage.ts';

/**
 * The correction keeps the costs of exact attempts first, then those of estimates. The last attempt
 * gets the rest.
 */
export function correctedAttempts(attempts: readonly Attempt[], cost: bigint): readonly Attempt[] {
  let remaining = cost;
  const take = (amount: bigint) => {
    const taken = smaller(amount, remaining);
    remaining -= taken;
    return taken;
  };
  const reportedCosts = attempts.map((attempt) => (isEstimate(attempt) ? 0n : take(attempt.cost)));
  const costs = attempts.map((attempt, index) =>
    isEstimate(attempt) ? take(attempt.cost) : (reportedCosts[index] ?? 0n),
  );
  return attempts.map((attempt, index) => {
    const rest = index === attempts.length - 1 ? remaining : 0n;
    const amount = (costs[index] ?? 0n) + rest;
    return { ...attempt, cost: amount, basis: 'corrected', estimateReason: undefined };
  });
}

export function repricedAttempts(
  attempts: readonly Attempt[],
  { priceVersion, attempts: priced = [] }: Reprice,
): readonly Attempt[] {
  return attempts.map((attempt) => {
    const repriced = priced.find(({ n }) => n === attempt.n);
    if (repriced === undefined || !isUnpriced(attempt.priceVersion)) return attempt;
    const { isCounted } = attempt;
    const basis = isCounted ? 'corrected' : attempt.basis;
    const estimateReason = isCounted ? undefined : attempt.estimateReason;
    return { ...attempt, priceVersion, cost: repriced.cost, basis, estimateReason };
  });
}

export function isCostOf(
  attempts: readonly Attempt[],
  { cost, estimated }: Pick<CallEnd, 'cost' | 'estimated'>,
): boolean {
  const sum = (rows: readonly Attempt[]) => rows.reduce((total, row) => total + row.cost, 0n);
  return sum(attempts) === cost && sum(attempts.filter(isEstimate)) === estimated;
}

export function remainingReason(
  { estimateReason }: Pick<CallEnd, 'estimateReason'>,
  estimated: bigint,
  attempts: readonly Attempt[],
): string | undefined {
  if (estimated === 0n) return undefined;
  const reasons = attempts.filter(isEstimate).map((attempt) => attempt.estimateReason);
  return reasons.length === 0 || reasons.includes(estimateReason) ? estimateReason : reasons[0];
}

function isEstimate({ basis }: Attempt): boolean {
  return basis === 'estimated';
}
