import type { PlatformConfig } from '../../domain/platform.ts';
import { createUndiciTransport } from '../http/undici-transport.ts';
import { createListModels } from '../model/list-models.ts';
import type { Platform, PlatformContext } from '../model/port.ts';
import { createRedact } from '../redaction/redact.ts';
import { createModelCache } from '../wires/model-cache.ts';
import { carryNamesAt } from '../wires/openai-chat/carry-names.ts';
import { createChatModels } from '../wires/openai-chat/openai-chat.ts';
import { createOpenAiEmbeddings } from '../wires/openai-embeddings/openai-embeddings.ts';
import { createOpenAiResponses } from '../wires/openai-responses/openai-responses.ts';

export function createOpenAiCompatible(
  config: PlatformConfig,
  context: PlatformContext,
): Platform | string {
  const { onUnsolicited, way, openShares, secrets = [] } = context;
  const { name, kind, baseUrl, apiKey } = config;
  if (baseUrl === undefined) return 'needs a baseUrl, such as http://127.0.0.1:11434/v1';
  const transport = createUndiciTransport({ baseUrl, onUnsolicited, way, openShares });
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const parts = { send: transport.send, headers, redact: createRedact([apiKey, ...secrets]) };
  const surface = { ...parts, context, projectHeader: undefined };
  const chat = createChatModels({
    ...{ ...surface, path: '/chat/completions', carryNames: carryNamesAt(baseUrl) },
  });
  const embeddings = createModelCache(
    createOpenAiEmbeddings({ ...surface, path: '/embeddings', encodingFormat: 'float' }),
  );
  const responses = createModelCache(createOpenAiResponses({ ...surface, path: '/responses' }));
  return {
    name,
    kind,
    needsProject: false,
    projects: undefined,
    listModels: createListModels({ ...parts, path: '/models' }),
    model(row) {
      if (row.kind === 'embeddings') return embeddings(row.upstreamModel);
      return row.speaks?.[0] === 'v1-responses' ? responses(row.upstreamModel) : chat(row);
    },
    close: transport.close,
  };
}
