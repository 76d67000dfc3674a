import type { Usage } from '@model-gateway/contract';
import type { Rates } from '../domain/rates.ts';
import { larger } from '../lib/money.ts';
import type { ModelRates } from './catalog.ts';

/** What a call costs in pico-USD, exactly. Reasoning is part of the output. */
export function cost(usage: Usage, modelRates: ModelRates): bigint {
  const rates = ratesFor(modelRates, usage.inputTokens);
  const cached = BigInt(usage.cachedInputTokens);
  const cacheWrite = BigInt(usage.cacheWriteInputTokens);
  // A platform that counts more cached tokens than input must not make a call cheaper than free.
  const fresh = larger(BigInt(usage.inputTokens) - cached - cacheWrite, 0n);
  return (
    fresh * rates.inputPicoUsd +
    cached * rates.cachedInputPicoUsd +
    cacheWrite * rates.cacheWriteInputPicoUsd +
    BigInt(usage.outputTokens) * rates.outputPicoUsd
  );
}

/** The rates of a call with so much input. */
export function ratesFor(rates: ModelRates, inputTokens: number): Rates {
  const { longContext } = rates;
  return longContext !== undefined && inputTokens >= longContext.fromInputTokens
    ? longContext
    : rates;
}

/** What a token of input can cost at most, whichever way the platform counts it. */
export function dearestInputRate(rates: Rates): bigint {
  const ofCache = larger(rates.cachedInputPicoUsd, rates.cacheWriteInputPicoUsd);
  return larger(rates.inputPicoUsd, ofCache);
}
