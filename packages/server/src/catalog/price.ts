import { createHash } from 'node:crypto';
import type { Factors, TermsOfPrice } from '../domain/price-terms.ts';
import type { ModelRates, Rates } from '../domain/rates.ts';
import type { Price } from './catalog.ts';

export function priceOf(model: string, rates: ModelRates, terms?: TermsOfPrice): Price {
  const { steps = [], flat: { perRequestPicoUsd, toolUses = {} } = {} } = rates;
  const parts: (string | number | bigint)[] = [model, ...amountsOf(rates)];
  // Versions have always used the first length with other rates.
  for (const step of steps) parts.push(step.aboveInputTokens + 1, ...amountsOf(step));
  // Prices without flat amounts keep their earlier version.
  if (perRequestPicoUsd !== undefined) parts.push('request', perRequestPicoUsd);
  for (const [tool, { picoUsd }] of Object.entries(toolUses).toSorted()) parts.push(tool, picoUsd);
  if (terms !== undefined) parts.push(...wordsOf(terms));
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex');
  return { ...rates, ...(terms && { terms }), version: digest.slice(0, 16) };
}

/** The store contains the factors by version, so other factors need another version. */
function wordsOf({ tier, region, tiers, regions }: TermsOfPrice): (string | bigint)[] {
  const sorted = (factors: Factors) =>
    Object.entries(factors)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flat();
  return ['tiers', ...sorted(tiers), 'regions', ...sorted(regions), tier ?? '', region ?? ''];
}

function amountsOf(rates: Rates): (string | number | bigint)[] {
  const { inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd } = rates;
  const { cacheWrite1hInputPicoUsd: forHour } = rates;
  const amounts = [inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd];
  // Prices without these amounts keep their earlier version.
  return [
    ...amounts,
    ...(forHour === undefined ? [] : ['1h', forHour]),
    ...Object.entries(rates.parts ?? {})
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flat(),
  ];
}
