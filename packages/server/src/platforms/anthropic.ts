import type { PlatformConfig } from '../config/config.ts';
import { createAnthropicMessages } from './anthropic-messages/anthropic-messages.ts';
import { createModelCache } from './model-cache.ts';
import type { Platform } from './port.ts';
import { createRedact } from './redact.ts';
import { createUndiciTransport } from './undici-transport.ts';

const defaultBaseUrl = 'https://api.anthropic.com';

/** Anthropic's own API. An app's project is a workspace, which every call names. */
export function createAnthropic(config: PlatformConfig): Platform {
  const { name, kind, baseUrl = defaultBaseUrl, apiKey, adminApiKey } = config;
  // The admin API is below the host too; the URL may end in the version that both begin with.
  const transport = createUndiciTransport({ baseUrl: baseUrl.replace(/\/v1$/, '') });
  const model = createAnthropicMessages({
    platform: name,
    send: transport.send,
    path: '/v1/messages',
    headers: apiKey === undefined ? {} : { 'x-api-key': apiKey },
    projectHeader: 'anthropic-workspace-id',
    redact: createRedact([apiKey, adminApiKey]),
  });
  const models = createModelCache(model);
  return {
    name,
    kind,
    needsProject: true,
    projects: undefined,
    model: (row) => models(row.upstreamModel),
    close: transport.close,
  };
}
