import type { Attempt } from '../../books/rows.ts';
import { isUnpriced } from '../../books/usage.ts';
import type { Price } from '../../catalog/catalog.ts';
import { cost } from '../../catalog/cost.ts';

export interface RepricedCost {
  readonly cost: bigint;
  readonly estimated: bigint;
  /** Only attempts whose price changed. */
  readonly attempts: readonly Pick<Attempt, 'n' | 'cost'>[];
}

/**
 * Undefined where no newly priced attempt has counts. Attempts without counts keep their booked
 * amount: their billed part is unknown.
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
