import type { Client } from '../client.ts';
import { asTyped } from '../typed.ts';
import { asAiError } from './ai-error.ts';
import type { AiCallOptions, GatewayLanguageModel, SpecificationVersion } from './ai-types.ts';
import { type AnyAnswer, readAnswer } from './read-answer.ts';
import { type Asked, type ModelSettings, writeRequest } from './write-request.ts';
import { type AnyStream, writeStream } from './write-stream.ts';

/** A model of the gateway for the AI SDK. */
export function createLanguageModel<Version extends SpecificationVersion>(
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
