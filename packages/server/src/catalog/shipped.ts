import { modelsOfRows } from './model-row.ts';
import { anthropicModels } from './models/anthropic.ts';
import { bedrockMantleModels } from './models/bedrock-mantle.ts';
import { openAiModels } from './models/openai.ts';
import type { ShippedModel } from './shipped-model.ts';

export function shippedModels(): readonly ShippedModel[] {
  return [
    ...modelsOfRows('bedrock-mantle', bedrockMantleModels),
    ...modelsOfRows('openai', openAiModels),
    ...modelsOfRows('anthropic', anthropicModels),
  ];
}
