import type { ClientOptions } from '../call/options.ts';
import type { Client } from '../client/client.ts';
import { checkCount } from '../lib/check-option.ts';
import { asTyped } from '../lib/typed.ts';
import { userAgent } from '../lib/user-agent.ts';
import { asAiError, unsupported } from './ai-error.ts';
import type { AiCallOptions, GatewayLanguageModel, SpecificationVersion } from './ai-types.ts';
import { createEmbeddingModel, type GatewayEmbeddingModel } from './embedding-model.ts';
import { type AnyAnswer, readAnswer } from './read-answer.ts';
import { type Asked, type ModelSettings, writeRequest } from './write-request.ts';
import { type AnyStream, writeStream } from './write-stream.ts';

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
  const hint = `. Omit it for the default of ${maxOutputTokensDefault}`;
  checkCount('createModelGateway', 'maxOutputTokens', tokens, hint);
  const shared = { userId, userAgent: userAgent(), maxOutputTokens: tokens };
  const languageModel = (modelId: string) =>
    createLanguageModel(client, { ...shared, modelId, specificationVersion: version });
  const embeddingModel = (modelId: string) =>
    createEmbeddingModel(client, { ...shared, modelId, specificationVersion: version });
  const refuse = (what: string) => (modelId: string) => {
    throw unsupported(`${what} ${modelId}`, 'use a text or embedding model');
  };
  return Object.assign((modelId: string) => languageModel(modelId), {
    specificationVersion: version,
    languageModel,
    embeddingModel,
    imageModel: refuse('the image model'),
  });
}

/** A model of the gateway for the AI SDK. */
function createLanguageModel<Version extends SpecificationVersion>(
  client: Client,
  settings: ModelSettings & { readonly specificationVersion: Version },
): GatewayLanguageModel<Version> {
  const { specificationVersion, modelId } = settings;
  return {
    specificationVersion,
    provider: 'modelGateway',
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      const asked = writeRequest(settings, options);
      try {
        return { ...readAnswer(await askWhole(client, asked)), warnings: asked.warnings };
      } catch (error) {
        throw explain(asked, options, error);
      }
    },
    async doStream(options) {
      const asked = writeRequest(settings, options);
      const { warnings } = asked;
      const isWrapped =
        asked.kind === 'object' && Reflect.get(asked.request.schema, 'type') !== 'object';
      try {
        const stream = askStream(client, asked);
        const told = (error: unknown) => explain(asked, options, error);
        return { stream: await writeStream({ stream, warnings, isWrapped, explain: told }) };
      } catch (error) {
        throw explain(asked, options, error);
      }
    },
  };
}

function explain({ request }: Asked, { abortSignal: signal }: AiCallOptions, error: unknown) {
  return asAiError({ error, request, signal });
}

function askWhole(client: Client, asked: Asked): Promise<AnyAnswer> {
  const { options } = asked;
  if (asked.kind === 'chat') return client.chat(asked.request, options);
  if (asked.kind === 'agent') return client.agent(asked.request, options);
  return client.object<unknown>(asked.request, options);
}

function askStream(client: Client, asked: Asked): AnyStream {
  const { options } = asked;
  if (asked.kind === 'chat') return client.chatStream(asked.request, options);
  if (asked.kind === 'agent') return client.agentStream(asked.request, options);
  return asTyped<AnyStream>(client.objectStream<unknown>(asked.request, options));
}
