import { metaOf } from '../call/call-meta.ts';
import type { Client } from '../client/client.ts';
import { asTyped } from '../lib/typed.ts';
import { asAiError } from './ai-error.ts';
import type { AiMetadata, AiWarning, SpecificationVersion } from './ai-types.ts';
import { metadataOf } from './read-answer.ts';
import { type ModelSettings, type OwnOptions, writeHeaders } from './write-request.ts';

/** The AI SDK's `EmbeddingModelV4` and `EmbeddingModelV3`, over `/v1/embeddings`. */
export interface GatewayEmbeddingModel<Version extends SpecificationVersion> {
  readonly specificationVersion: Version;
  /** The name in `providerMetadata` and `providerOptions`: `modelGateway`. */
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: number;
  readonly supportsParallelCalls: boolean;
  /** Requests an embedding of each text: one call. */
  doEmbed(options: AiEmbedOptions): Promise<AiEmbeddings>;
}

/** A request of the AI SDK to an embedding model. */
export interface AiEmbedOptions {
  readonly values: readonly string[];
  readonly dimensions?: number | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly providerOptions?: Readonly<Record<string, object>> | undefined;
}

/** The response of an embedding model. */
export type AiEmbeddings = {
  embeddings: number[][];
  usage: { tokens: number };
  providerMetadata: { modelGateway: AiMetadata };
  response: { headers: Record<string, string> };
  warnings: AiWarning[];
};

/** An embedding model of the gateway for the AI SDK. */
export function createEmbeddingModel<Version extends SpecificationVersion>(
  client: Client,
  settings: Omit<ModelSettings, 'maxOutputTokens'> & { readonly specificationVersion: Version },
): GatewayEmbeddingModel<Version> {
  const { specificationVersion, modelId } = settings;
  return {
    ...{ specificationVersion, provider: 'modelGateway', modelId },
    maxEmbeddingsPerCall: 2_048,
    supportsParallelCalls: true,
    async doEmbed({ values, dimensions, abortSignal: signal, headers, providerOptions }) {
      const ours = asTyped<OwnOptions>(providerOptions?.modelGateway ?? {});
      const { userId = settings.userId, idempotencyKey } = ours;
      const request = { model: modelId, input: values, dimensions, userId };
      const sent = writeHeaders(settings, headers);
      try {
        const answer = await client.embed(request, { signal, headers: sent });
        const modelGateway = metadataOf(answer);
        return {
          embeddings: answer.embeddings.map((embedding) => [...embedding]),
          usage: { tokens: answer.usage.inputTokens },
          providerMetadata: { modelGateway },
          response: { headers: { ...metaOf(answer).headers } },
          warnings: idempotencyKey === undefined ? [] : [keyWarning],
        };
      } catch (error) {
        throw asAiError({ error, request, signal });
      }
    },
  };
}

/** The AI SDK splits many texts into several calls, and does not number them. */
const keyWarning: AiWarning = {
  type: 'unsupported',
  feature: 'idempotencyKey',
  details: 'each call has its own key',
};
