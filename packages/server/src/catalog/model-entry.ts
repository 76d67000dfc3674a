import type { ModelEntry, PriceUsd } from '@model-gateway/contract';
import { formatUsdPerMillion } from '../lib/money.ts';
import type { CatalogModel, Price } from './catalog.ts';

/** A model as `GET /v1/models` shows it: nothing of where it lives. */
export function toModelEntry(model: CatalogModel): ModelEntry {
  const { contextTokens, maxOutputTokens } = model;
  return {
    id: model.id,
    priced: model.price !== undefined,
    price: model.price === undefined ? null : toPriceUsd(model.price),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    operations: ['chat', 'objects', 'agents'],
    images: model.images,
  };
}

function toPriceUsd(price: Price): PriceUsd {
  return {
    inputUsdPerMillion: formatUsdPerMillion(price.inputPicoUsd),
    cachedInputUsdPerMillion: formatUsdPerMillion(price.cachedInputPicoUsd),
    cacheWriteInputUsdPerMillion: formatUsdPerMillion(price.cacheWriteInputPicoUsd),
    outputUsdPerMillion: formatUsdPerMillion(price.outputPicoUsd),
  };
}
