import { checkCount } from '../check-option.ts';
import type { Client } from '../client.ts';
import type { ClientOptions } from '../options.ts';
import { userAgent } from '../user-agent.ts';
import { unsupported } from './ai-error.ts';
import type { GatewayLanguageModel, SpecificationVersion } from './ai-types.ts';
import { createEmbeddingModel, type GatewayEmbeddingModel } from './embedding-model.ts';
import { createLanguageModel } from './language-model.ts';

/** What holds for all calls of a provider. */
export interface ProviderDefaults<Version extends SpecificationVersion = 'v4'> {
  /** `v3` for the AI SDK 6. Default: `v4`, for the AI SDK 7. */
  readonly specificationVersion?: Version | undefined;
  /** For calls that say none: the gateway needs a limit to hold money for. Default 4,096. */
  readonly maxOutputTokens?: number | undefined;
  /** The user whose credits calls use, unless their `providerOptions.modelGateway` name another. */
  readonly userId?: string | undefined;
}

/** What `createModelGateway` takes: the options of a client, or a client that there is. */
export type ModelGatewayOptions<Version extends SpecificationVersion = 'v4'> =
  ProviderDefaults<Version> &
    (ClientOptions | { readonly client: Client; readonly apiKey?: undefined });

/** The gateway as a provider of the AI SDK: `gateway('my-model')` is a model of it. */
export interface ModelGateway<Version extends SpecificationVersion = 'v4'> {
  (modelId: string): GatewayLanguageModel<Version>;
  readonly specificationVersion: Version;
  /** The same, for the AI SDK's registries. */
  languageModel(modelId: string): GatewayLanguageModel<Version>;
  /** A model of `embed` and `embedMany`. */
  embeddingModel(modelId: string): GatewayEmbeddingModel<Version>;
  /** @throws the AI SDK's UnsupportedFunctionalityError */
  imageModel(modelId: string): never;
}

const maxOutputTokensDefault = 4_096;

/** A provider that asks a client. */
export function createProvider<Version extends SpecificationVersion>(
  client: Client,
  { specificationVersion, maxOutputTokens, userId }: ProviderDefaults<Version>,
  otherwise: Version,
): ModelGateway<Version> {
  const version = specificationVersion ?? otherwise;
  const tokens = maxOutputTokens ?? maxOutputTokensDefault;
  const hint = `. Leave it out for the default of ${maxOutputTokensDefault}`;
  checkCount('createModelGateway', 'maxOutputTokens', tokens, hint);
  const shared = { userId, userAgent: userAgent(), maxOutputTokens: tokens };
  const languageModel = (modelId: string) =>
    createLanguageModel(client, { ...shared, modelId, specificationVersion: version });
  const embeddingModel = (modelId: string) =>
    createEmbeddingModel(client, { ...shared, modelId, specificationVersion: version });
  const refuse = (what: string) => (modelId: string) => {
    throw unsupported(`${what} ${modelId}`, 'it has models of text and of embeddings');
  };
  return Object.assign((modelId: string) => languageModel(modelId), {
    specificationVersion: version,
    languageModel,
    embeddingModel,
    imageModel: refuse('the image model'),
  });
}
