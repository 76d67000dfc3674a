import { type CarryName, chatCarryNames } from '../../domain/carry.ts';
import type { PlatformConfig } from '../../domain/platform.ts';
import { createUndiciTransport } from '../http/undici-transport.ts';
import { createListModels } from '../model/list-models.ts';
import type { Platform, PlatformContext } from '../model/port.ts';
import { createRedact } from '../redaction/redact.ts';
import { createModelCache } from '../wires/model-cache.ts';
import { createChatModels } from '../wires/openai-chat/openai-chat.ts';
import { createOpenAiEmbeddings } from '../wires/openai-embeddings/openai-embeddings.ts';
import { createOpenAiResponses } from '../wires/openai-responses/openai-responses.ts';

export function createOpenAiCompatible(
  config: PlatformConfig,
  context: PlatformContext,
): Platform | string {
  const { onUnsolicited, way, openShares, secrets = [] } = context;
  const { name, kind, baseUrl, apiKey } = config;
  if (baseUrl === undefined) return 'requires a baseUrl, such as http://127.0.0.1:11434/v1';
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

/**
 * By API host; others accept every name. Three reject unknown names: tashfeenahmed/freellmapi#1070
 * (Groq), Kilo-Org/kilocode#10375 (Cerebras), charmbracelet/crush#1590 (Mistral).
 */
const vendors: readonly (readonly [RegExp, readonly CarryName[]])[] = [
  [/(?:^|\.)(?:deepseek\.com|moonshot\.(?:ai|cn)|z\.ai|bigmodel\.cn)$/, ['reasoning_content']],
  // Vertex AI also serves models of other vendors.
  [/^generativelanguage\.googleapis\.com$/, ['extra_content']],
  [/(?:^|\.)openrouter\.ai$/, ['reasoning', 'reasoning_details']],
  [/(?:^|\.)(?:groq\.com|cerebras\.ai)$/, ['reasoning']],
  [/(?:^|\.)mistral\.ai$/, []],
];

function carryNamesAt(baseUrl: string): readonly CarryName[] {
  const { hostname } = new URL(baseUrl);
  return vendors.find(([host]) => host.test(hostname))?.[1] ?? chatCarryNames;
}
