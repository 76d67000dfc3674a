import type { Attempt } from '../../books/rows.ts';
import { isUnpriced } from '../../books/usage.ts';
import type { Price } from '../../catalog/catalog.ts';
import { cost } from '../../catalog/cost.ts';

/** What a call costs at another price, and the part of it that stays an estimate. */
export interface RepricedCost {
  readonly cost: bigint;
  readonly estimated: bigint;
  /** What the attempts cost whose price is another now. */
  readonly attempts: readonly Pick<Attempt, 'n' | 'cost'>[];
}

/**
 * The cost of a settled call whose attempts at a model without a price have one; undefined where
 * none of these has counts. What an attempt without counts was booked with stays: it is not known
 * what of it was billed.
 */
export function repricedCost(
  attempts: readonly Attempt[],
  { model, price }: { readonly model: string; readonly price: Price },
): RepricedCost | undefined {
  const repriced = attempts
    .filter((attempt) => attempt.model === model && isUnpriced(attempt.priceVersion))
    .filter(hasCounts)
    .map(({ n, tokens }) => {
      const parts = price.parts?.reasoning && { reasoning: tokens.reasoningTokens };
      return { n, cost: cost({ ...tokens, ...(parts && { parts }) }, price) };
    });
  if (repriced.length === 0) return undefined;
  // Without a price, no parts were counted.
  const isKnown = ({ isCounted }: Attempt) => isCounted && price.parts === undefined;
  let total = 0n;
  let estimated = 0n;
  for (const attempt of attempts) {
    const found = repriced.find(({ n }) => n === attempt.n);
    const amount = found?.cost ?? attempt.cost;
    total += amount;
    const isEstimated = attempt.basis === 'estimated';
    if (found === undefined ? isEstimated : !isKnown(attempt)) estimated += amount;
  }
  return { cost: total, estimated, attempts: repriced };
}

function hasCounts({ isCounted, tokens }: Attempt): boolean {
  return isCounted || tokens.inputTokens + tokens.outputTokens > 0;
}
