import type { ClientOptions } from '../call/options.ts';
import type { Client } from '../client/client.ts';
import { checkCount } from '../lib/check-option.ts';
import { asTyped } from '../lib/typed.ts';
import { userAgent } from '../lib/user-agent.ts';
import { asAiError, unsupported } from './ai-error.ts';
import type { AiCallOptions, GatewayLanguageModel, SpecificationVersion } from './ai-types.ts';
import { createEmbeddingModel, type GatewayEmbeddingModel } from './embedding-model.ts';
import { type AnyAnswer, readAnswer } from './read-answer.ts';
import { type ModelSettings, type WrittenRequest, writeRequest } from './write-request.ts';
import { type AnyStream, writeStream } from './write-stream.ts';

/** Defaults for all calls of a provider. */
export interface ProviderDefaults<Version extends SpecificationVersion = 'v4'> {
  /** `v3` for the AI SDK 6. Default: `v4`, for the AI SDK 7. */
  readonly specificationVersion?: Version | undefined;
  /** For calls without a limit: the gateway needs one to reserve money. Default 4,096. */
  readonly maxOutputTokens?: number | undefined;
  /** The user who pays, unless the call's `providerOptions.modelGateway` names another. */
  readonly userId?: string | undefined;
}

/** The options of `createModelGateway`: those of a client, or an existing client. */
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

/** A provider on top of a client. */
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
      const written = writeRequest(settings, options);
      try {
        return { ...readAnswer(await requestAnswer(client, written)), warnings: written.warnings };
      } catch (error) {
        throw explain(written, options, error);
      }
    },
    async doStream(options) {
      const written = writeRequest(settings, options);
      const { warnings } = written;
      const isWrapped =
        written.kind === 'object' && Reflect.get(written.request.schema, 'type') !== 'object';
      try {
        const stream = requestStream(client, written);
        const explainError = (error: unknown) => explain(written, options, error);
        return {
          stream: await writeStream({ stream, warnings, isWrapped, explain: explainError }),
        };
      } catch (error) {
        throw explain(written, options, error);
      }
    },
  };
}

function explain(
  { request }: WrittenRequest,
  { abortSignal: signal }: AiCallOptions,
  error: unknown,
) {
  return asAiError({ error, request, signal });
}

function requestAnswer(client: Client, written: WrittenRequest): Promise<AnyAnswer> {
  const { options } = written;
  if (written.kind === 'chat') return client.chat(written.request, options);
  if (written.kind === 'agent') return client.agent(written.request, options);
  return client.object<unknown>(written.request, options);
}

function requestStream(client: Client, written: WrittenRequest): AnyStream {
  const { options } = written;
  if (written.kind === 'chat') return client.chatStream(written.request, options);
  if (written.kind === 'agent') return client.agentStream(written.request, options);
  return asTyped<AnyStream>(client.objectStream<unknown>(written.request, options));
}
