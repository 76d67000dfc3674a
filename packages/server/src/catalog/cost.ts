import type { Usage } from '@model-gateway/contract';
import type { Rates } from '../config/config.ts';
import { larger } from '../lib/money.ts';

/** What a call costs in pico-USD, exactly. Reasoning is part of the output. */
export function cost(usage: Usage, rates: Rates): bigint {
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

/** What a token of input can cost at most, whichever way the platform counts it. */
export function dearestInputRate(rates: Rates): bigint {
  const ofCache = larger(rates.cachedInputPicoUsd, rates.cacheWriteInputPicoUsd);
  return larger(rates.inputPicoUsd, ofCache);
}
