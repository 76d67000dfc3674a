export type { AiMetadata, GatewayLanguageModel, SpecificationVersion } from './ai/ai-types.ts';
export type { GatewayEmbeddingModel } from './ai/embedding-model.ts';
export type { ModelGateway, ModelGatewayOptions } from './ai/provider.ts';
export { createModelGateway } from './create-model-gateway.ts';
