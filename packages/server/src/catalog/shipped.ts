import { type SimulatorModel, simulatorModels } from '@model-gateway/simulator';
import { defaultImageTokensMax } from '../config/config.ts';
import type { DatedRates, ShippedModel } from './shipped-model.ts';

/** The rows that ship: for now those of the simulator's models. */
export function shippedModels(): readonly ShippedModel[] {
  return simulatorModels.map(ofSimulator);
}

function ofSimulator(model: SimulatorModel): ShippedModel {
  return {
    id: model.id,
    platformKind: 'simulator',
    upstreamModel: model.id,
    prices: pricesOfSimulator(model),
    contextTokens: model.contextTokens,
    maxOutputTokens: model.maxOutputTokens,
    structuredOutput: 'json-schema',
    images: model.images,
    imageTokensMax: defaultImageTokensMax,
  };
}

function pricesOfSimulator({ pricesPicoUsd }: SimulatorModel): readonly DatedRates[] {
  if (pricesPicoUsd === undefined) return [];
  return [
    {
      fromDay: '2026-01-01',
      source: '@model-gateway/simulator',
      inputPicoUsd: pricesPicoUsd.input,
      cachedInputPicoUsd: pricesPicoUsd.cachedInput,
      cacheWriteInputPicoUsd: pricesPicoUsd.cacheWrite,
      outputPicoUsd: pricesPicoUsd.output,
    },
  ];
}
