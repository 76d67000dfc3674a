import { type CountedUsage, cost, dearestOutputRate, ratesFor } from '../../catalog/cost.ts';
import { mostUses } from '../../catalog/flat-price.ts';
import type { ReportedUsage } from '../../platforms/model/port.ts';
import type { Candidate } from '../admission/admit.ts';

/** Counts within input and output, and those next to them. */
type Kept = Pick<CountedUsage, 'cacheWrite1hInputTokens' | 'toolUses' | 'parts'>;

/** Of a model whose context is not known. */
const contextTokensMax = 2_000_000;

/**
 * The most that a stream can have cost which its platform broke off: the input that it stated, and
 * all of the output. Undefined where the input is not known, of which nothing is a place that was
 * never filled.
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

/** What stated counts come to, as far as a model of this context can have billed them. */
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
