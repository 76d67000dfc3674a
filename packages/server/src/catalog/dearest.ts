import { larger } from '../lib/money.ts';
import type { LongContextRates, ModelRates, Price } from './catalog.ts';
import { priceOf } from './price.ts';

/** What stands in a stored price for the model's name. */
export const dearestModel = '(dearest)';

/**
 * A price that is no cheaper than any of these: for each kind of token the dearest rate. Where some
 * are dearer from a length of input on, all calls are from the shortest of these lengths on.
 * Undefined for no prices.
 */
export function dearestPrice(prices: readonly ModelRates[]): Price | undefined {
  const [first, ...others] = prices.map(ratesOf);
  if (first === undefined) return undefined;
  const base = others.reduce(dearer, first);
  const long = prices.flatMap(({ longContext }) => (longContext === undefined ? [] : longContext));
  const longContext = long.length === 0 ? undefined : dearestLong(base, long);
  return { ...priceOf(dearestModel, { ...base, ...(longContext && { longContext }) }), isDearest };
}

const isDearest = true;

type Rates = Omit<ModelRates, 'longContext'>;

function dearestLong(base: Rates, long: readonly LongContextRates[]): LongContextRates {
  const fromInputTokens = Math.min(...long.map((rates) => rates.fromInputTokens));
  return { fromInputTokens, ...long.map(ratesOf).reduce(dearer, base) };
}

function ratesOf(rates: Rates): Rates {
  const { inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd } = rates;
  return { inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd };
}

function dearer(one: Rates, other: Rates): Rates {
  return {
    inputPicoUsd: larger(one.inputPicoUsd, other.inputPicoUsd),
    cachedInputPicoUsd: larger(one.cachedInputPicoUsd, other.cachedInputPicoUsd),
    cacheWriteInputPicoUsd: larger(one.cacheWriteInputPicoUsd, other.cacheWriteInputPicoUsd),
    outputPicoUsd: larger(one.outputPicoUsd, other.outputPicoUsd),
  };
}
