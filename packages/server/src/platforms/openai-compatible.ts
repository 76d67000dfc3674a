import type { PlatformConfig } from '../domain/platform.ts';
import { createListModels } from './list-models.ts';
import { createChatModels } from './openai-chat/openai-chat.ts';
import type { Platform, PlatformContext } from './port.ts';
import { createRedact } from './redact.ts';
import { createUndiciTransport } from './undici-transport.ts';

/** Any server that speaks OpenAI's chat completions. It has no projects. */
export function createOpenAiCompatible(
  config: PlatformConfig & { baseUrl: string },
  context: PlatformContext,
): Platform {
  const { onUnsolicited, secrets = [] } = context;
  const { name, kind, baseUrl, apiKey } = config;
  const transport = createUndiciTransport({ baseUrl, onUnsolicited });
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const parts = { send: transport.send, headers, redact: createRedact([apiKey, ...secrets]) };
  const path = '/chat/completions';
  const model = createChatModels({ ...parts, context, path, projectHeader: undefined });
  return {
    name,
    kind,
    needsProject: false,
    projects: undefined,
    listModels: createListModels({ ...parts, path: '/models' }),
    model,
    close: transport.close,
  };
}
