import type { ModelEntry, PartsUsd, PriceUsd, RatesUsd } from '@model-gateway/contract';
import type { FlatPrice, ModelRates, Rates } from '../domain/rates.ts';
import { formatUsd, formatUsdPerMillion } from '../lib/money.ts';
import type { CatalogModel } from './catalog.ts';

/** Hides the model's platform. `streaming` undefined: the app gets only whole responses. */
export function toModelEntry(model: CatalogModel, streaming?: boolean): ModelEntry {
  const { contextTokens, maxOutputTokens } = model;
  return {
    id: model.id,
    priced: model.price !== undefined,
    price: model.price === undefined ? null : toPriceUsd(model.price),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    operations: model.kind === 'embeddings' ? ['embeddings'] : ['chat', 'objects', 'agents'],
    images: model.images,
    ...(streaming !== undefined && { streaming }),
  };
}

/** Contains fields that callers must not see. */
export interface OperatorPrice extends PriceUsd {
  readonly cacheWrite1hInputUsdPerMillion?: string;
}

export function toOperatorPrice(rates: ModelRates): OperatorPrice {
  const { cacheWrite1hInputPicoUsd: forHour } = rates;
  if (forHour === undefined) return toPriceUsd(rates);
  const cacheWrite1hInputUsdPerMillion = formatUsdPerMillion(forHour);
  return { ...toPriceUsd(rates), cacheWrite1hInputUsdPerMillion };
}

/** Exact decimals of USD per million tokens. */
function toPriceUsd({ steps = [], ...rates }: ModelRates): PriceUsd {
  const [first] = steps;
  const base = { ...toRatesUsd(rates), ...(rates.flat && toFlatUsd(rates.flat)) };
  if (first === undefined) return base;
  const fromInputTokens = first.aboveInputTokens + 1;
  return {
    ...base,
    longContext: { fromInputTokens, ...toRatesUsd(first) },
    steps: steps.map(({ aboveInputTokens, ...own }) => ({ aboveInputTokens, ...toRatesUsd(own) })),
  };
}

function toFlatUsd({ perRequestPicoUsd, toolUses }: FlatPrice) {
  const tools = Object.entries(toolUses ?? {}).map(([tool, { picoUsd }]) => {
    return [tool, { usdPerThousand: formatUsd(picoUsd * 1_000n) }] as const;
  });
  return {
    ...(perRequestPicoUsd !== undefined && { perRequestUsd: formatUsd(perRequestPicoUsd) }),
    ...(toolUses !== undefined && { toolUses: Object.fromEntries(tools) }),
  };
}

function toRatesUsd(rates: Rates): RatesUsd {
  return {
    inputUsdPerMillion: formatUsdPerMillion(rates.inputPicoUsd),
    cachedInputUsdPerMillion: formatUsdPerMillion(rates.cachedInputPicoUsd),
    cacheWriteInputUsdPerMillion: formatUsdPerMillion(rates.cacheWriteInputPicoUsd),
    outputUsdPerMillion: formatUsdPerMillion(rates.outputPicoUsd),
    ...partsUsd(rates),
  };
}

function partsUsd({ parts = {} }: Rates): PartsUsd {
  const entries = Object.entries(parts).map(([part, rate]) => {
    return [`${part}UsdPerMillion`, formatUsdPerMillion(rate)];
  });
  return Object.fromEntries(entries);
}
