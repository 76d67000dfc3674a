import type { ModelRates, Rates, StepRates } from '../domain/rates.ts';
import type { Price } from './catalog.ts';
import { higherRates } from './cost.ts';
import { highestPerRequest } from './flat-price.ts';
import { priceOf } from './price.ts';

export const highestPriceModel = '(dearest)';

/**
 * The highest rate for each kind of token. If some prices have steps, all calls above the lowest
 * step have the highest rates of all steps. Undefined without prices.
 */
export function combineHighestRates(prices: readonly ModelRates[]): Price | undefined {
  const [first, ...others] = prices.map(ratesOf);
  if (first === undefined) return undefined;
  const base = others.reduce(higherRates, first);
  const steps = prices.flatMap((price) => price.steps ?? []);
  const step = steps.length === 0 ? undefined : highestStep(base, steps);
  const perRequestPicoUsd = highestPerRequest(prices);
  const flat = perRequestPicoUsd !== undefined && { flat: { perRequestPicoUsd } };
  const rates = { ...base, ...(step && { steps: [step] }), ...flat };
  return { ...priceOf(highestPriceModel, rates), isHighestKnown: true };
}

function highestStep(base: Rates, steps: readonly StepRates[]): StepRates {
  const aboveInputTokens = Math.min(...steps.map((step) => step.aboveInputTokens));
  return { aboveInputTokens, ...steps.map(ratesOf).reduce(higherRates, base) };
}

/** Omits the rate for one-hour cache writes, which is unknown here. */
function ratesOf(rates: Rates): Rates {
  const { inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd } = rates;
  return { inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd };
}
