import { createHash } from 'node:crypto';
import type { Rates } from '../config/config.ts';
import type { Price } from './catalog.ts';

/** The price of a model at these rates, under its version. */
export function priceOf(model: string, rates: Rates): Price {
  const { inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd } = rates;
  const parts = [model, inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd];
  const digest = createHash('sha256').update(parts.join('\n')).digest('hex');
  return {
    inputPicoUsd,
    cachedInputPicoUsd,
    cacheWriteInputPicoUsd,
    outputPicoUsd,
    version: digest.slice(0, 16),
  };
}
