import { createHash } from 'node:crypto';
import type { Rates } from '../domain/rates.ts';
import type { ModelRates, Price } from './catalog.ts';

/** The price of a model at these rates, under its version. */
export function priceOf(model: string, { longContext, ...rates }: ModelRates): Price {
  const parts = [model, ...amountsOf(rates)];
  if (longContext !== undefined) parts.push(longContext.fromInputTokens, ...amountsOf(longContext));
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex');
  return { ...rates, ...(longContext && { longContext }), version: digest.slice(0, 16) };
}

function amountsOf(rates: Rates): (string | number | bigint)[] {
  const { inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd } = rates;
  const { cacheWrite1hInputPicoUsd: forHour } = rates;
  const amounts = [inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd];
  // Versions of prices without it are as they were.
  return forHour === undefined ? amounts : [...amounts, '1h', forHour];
}
