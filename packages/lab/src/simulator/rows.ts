import type { ShippedModel } from '@model-gateway/server/catalog/shipped-model';
import { defaultImageTokensMax } from '@model-gateway/server/domain/model';
import type { DatedRates } from '@model-gateway/server/domain/rates';
import { isForTests, type SimulatorModel, simulatorModels } from '@model-gateway/simulator/models';

export function simulatorRows(): readonly ShippedModel[] {
  return simulatorModels.map((model) => ({
    id: model.id,
    platformKind: 'simulator',
    upstreamModel: model.id,
    prices: pricesOf(model),
    contextTokens: model.contextTokens,
    maxOutputTokens: model.maxOutputTokens,
    structuredOutput: 'json-schema',
    images: model.images,
    imageTokensMax: defaultImageTokensMax,
    ...(isForTests(model) && { isForTests: true }),
  }));
}

function pricesOf({ pricesPicoUsd }: SimulatorModel): readonly DatedRates[] {
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
