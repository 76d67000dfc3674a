import { type CountedUsage, cost, dearestOutputRate, ratesFor } from '../../catalog/cost.ts';
import { mostUses } from '../../catalog/flat-price.ts';
import type { ReportedUsage } from '../../platforms/model/port.ts';
import type { Candidate } from '../model/candidate.ts';

/** Subcounts of input and output. */
type Kept = Pick<CountedUsage, 'cacheWrite1hInputTokens' | 'toolUses' | 'parts'>;

/** For an unknown context. */
const contextTokensMax = 2_000_000;

/**
 * Broken off by the platform: the stated input plus the maximum output. Undefined where the input
 * is unknown; a placeholder of zero is unknown.
 */
export function brokenCost(
  { bound }: Candidate,
  usage: ReportedUsage | undefined,
  kept: Kept,
): bigint | undefined {
  const { price, inputTokens: inputMax, outputTokens: outputMax } = bound;
  const inputTokens = usage?.inputTokens ?? 0;
  if (price === undefined || inputTokens === 0 || inputTokens > inputMax) return undefined;
  const { cachedInputTokens = 0, cacheWriteInputTokens = 0 } = usage ?? {};
  const { imageInput, audioInput } = kept.parts ?? {};
  const input = {
    ...{ inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens: 0 },
    ...{ ...kept, toolUses: price.flat && mostUses(price.flat, kept.toolUses) },
    ...{ parts: kept.parts && { imageInput, audioInput }, reasoningTokens: 0 },
  };
  const rates = ratesFor(price, inputTokens);
  return cost(input, price) + BigInt(outputMax) * dearestOutputRate(rates);
}

/** Capped by the model's context. */
export function costOfStated({ model, bound }: Candidate, usage: ReportedUsage, kept: Kept) {
  const { kind, contextTokens = contextTokensMax } = model;
  // That of embeddings is of each text, of which a request has many.
  const tokensMax = kind === 'embeddings' ? contextTokensMax : contextTokens;
  if (bound.price === undefined) return 0n;
  const within = (tokens: number | undefined) => Math.min(tokens ?? 0, tokensMax);
  const tokens = {
    inputTokens: within(usage.inputTokens),
    cachedInputTokens: within(usage.cachedInputTokens),
    cacheWriteInputTokens: within(usage.cacheWriteInputTokens),
    outputTokens: within(usage.outputTokens),
    reasoningTokens: 0,
    ...kept,
  };
  return cost(tokens, bound.price);
}
