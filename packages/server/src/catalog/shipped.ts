import { type SimulatorModel, simulatorModels } from '@model-gateway/simulator';
import { defaultImageTokensMax } from '../domain/model.ts';
import { modelsOfRows } from './model-row.ts';
import { anthropicModels } from './models/anthropic.ts';
import { bedrockMantleModels } from './models/bedrock-mantle.ts';
import { openAiModels } from './models/openai.ts';
import type { DatedRates, ShippedModel } from './shipped-model.ts';

/** The rows that ship, of every kind of platform. */
export function shippedModels(): readonly ShippedModel[] {
  return [
    ...modelsOfRows('bedrock-mantle', bedrockMantleModels),
    ...modelsOfRows('openai', openAiModels),
    ...modelsOfRows('anthropic', anthropicModels),
    ...simulatorModels.map(ofSimulator),
  ];
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
