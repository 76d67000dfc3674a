import type { Usage } from '@model-gateway/contract';
import type { ModelRates, Rates } from '../domain/rates.ts';
import { larger, smaller } from '../lib/money.ts';
import { flatCost, type ToolUses } from './flat-price.ts';

/** Counts that are priced; of what was written to the cache a part may be kept for an hour. */
export type CountedUsage = Usage & {
  readonly cacheWrite1hInputTokens?: number | undefined;
  readonly toolUses?: ToolUses | undefined;
};

/** What a billed request costs in pico-USD, exactly. Reasoning is part of the output. */
export function cost(usage: CountedUsage, modelRates: ModelRates): bigint {
  const rates = ratesFor(modelRates, usage.inputTokens);
  const cached = BigInt(usage.cachedInputTokens);
  const cacheWrite = BigInt(usage.cacheWriteInputTokens);
  // A platform that counts more cached tokens than input must not make a call cheaper than free.
  const fresh = larger(BigInt(usage.inputTokens) - cached - cacheWrite, 0n);
  const ofTokens =
    fresh * rates.inputPicoUsd +
    cached * rates.cachedInputPicoUsd +
    writeCost(cacheWrite, usage, rates) +
    BigInt(usage.outputTokens) * rates.outputPicoUsd;
  const { flat } = modelRates;
  return flat === undefined ? ofTokens : ofTokens + flatCost(flat, usage.toolUses);
}

function writeCost(cacheWrite: bigint, usage: CountedUsage, rates: Rates): bigint {
  const { cacheWrite1hInputTokens } = usage;
  if (cacheWrite1hInputTokens === undefined) return cacheWrite * rates.cacheWriteInputPicoUsd;
  const forHour = smaller(BigInt(cacheWrite1hInputTokens), cacheWrite);
  return (cacheWrite - forHour) * rates.cacheWriteInputPicoUsd + forHour * hourRate(rates);
}

/** The rates of a call with so much input. */
export function ratesFor(rates: ModelRates, inputTokens: number): Rates {
  const { steps } = rates;
  if (steps === undefined) return rates;
  return steps.findLast(({ aboveInputTokens }) => inputTokens > aboveInputTokens) ?? rates;
}

/** For each kind of token the highest rate that a call with at most so much input can have. */
export function highestRates(rates: ModelRates, inputTokensMax: number): Rates {
  const { steps } = rates;
  if (steps === undefined) return rates;
  const reached = steps.filter(({ aboveInputTokens }) => inputTokensMax > aboveInputTokens);
  return reached.reduce<Rates>(higherRates, rates);
}

/** For each kind of token the higher of two rates. */
export function higherRates(one: Rates, other: Rates): Rates {
  const isForHour = (one.cacheWrite1hInputPicoUsd ?? other.cacheWrite1hInputPicoUsd) !== undefined;
  return {
    inputPicoUsd: larger(one.inputPicoUsd, other.inputPicoUsd),
    cachedInputPicoUsd: larger(one.cachedInputPicoUsd, other.cachedInputPicoUsd),
    cacheWriteInputPicoUsd: larger(one.cacheWriteInputPicoUsd, other.cacheWriteInputPicoUsd),
    ...(isForHour && { cacheWrite1hInputPicoUsd: larger(hourRate(one), hourRate(other)) }),
    outputPicoUsd: larger(one.outputPicoUsd, other.outputPicoUsd),
  };
}

/**
 * What a token of input can cost at most, whichever way the platform counts it; `forHour`: where it
 * is asked to keep some for an hour.
 */
export function dearestInputRate(rates: Rates, forHour = false): bigint {
  const write = rates.cacheWriteInputPicoUsd;
  const ofWrite = forHour ? larger(write, hourRate(rates)) : write;
  const ofCache = larger(rates.cachedInputPicoUsd, ofWrite);
  return larger(rates.inputPicoUsd, ofCache);
}

/**
 * What a token costs that is kept for an hour: where it has no rate, platforms are known to bill
 * twice the input.
 */
export function hourRate({
  cacheWrite1hInputPicoUsd,
  cacheWriteInputPicoUsd,
  inputPicoUsd,
}: Rates): bigint {
  return cacheWrite1hInputPicoUsd ?? larger(cacheWriteInputPicoUsd, 2n * inputPicoUsd);
}
