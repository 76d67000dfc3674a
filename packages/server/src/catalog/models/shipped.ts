import { modelsOfRows } from '../model-row.ts';
import type { ShippedModel } from '../shipped-model.ts';
import { anthropicModels } from './anthropic.ts';
import { bedrockMantleModels } from './bedrock-mantle.ts';
import { openAiModels } from './openai.ts';

export function shippedModels(): readonly ShippedModel[] {
  return [
    ...modelsOfRows('bedrock-mantle', bedrockMantleModels),
    ...modelsOfRows('openai', openAiModels),
    ...modelsOfRows('anthropic', anthropicModels),
  ];
}
