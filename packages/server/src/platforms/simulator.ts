import assert from 'node:assert/strict';
import type { PlatformConfig } from '../config/config.ts';
import type { Clock } from '../lib/clock.ts';
import { type AppFetch, createAppTransport } from './app-transport.ts';
import { createModelCache } from './model-cache.ts';
import { createOpenAiChat } from './openai-chat/openai-chat.ts';
import type { Platform } from './port.ts';
import { createProjects } from './projects-api.ts';
import { createRedact } from './redact.ts';
import type { Transport } from './transport.ts';
import { createUndiciTransport } from './undici-transport.ts';

/** The simulator: over the socket where it has a `baseUrl`, else in this process. */
export function createSimulatorPlatform(
  config: PlatformConfig,
  fetch: AppFetch | undefined,
  clock: Clock,
): Platform {
  const { name, kind } = config;
  const transport = transportOf(config.baseUrl, fetch);
  const model = createOpenAiChat({
    platform: name,
    send: transport.send,
    path: '/v1/chat/completions',
    headers: {},
    projectHeader: 'openai-project',
    redact: createRedact([]),
  });
  const models = createModelCache(model);
  return {
    name,
    kind,
    needsProject: true,
    projects: createProjects({
      send: transport.send,
      clock,
      path: '/v1/organization/projects',
      headers: {},
      takesTags: true,
    }),
    model: (row) => models(row.upstreamModel),
    close: transport.close,
  };
}

/** Never resolved: the requests stay in this process. */
const inProcessUrl = 'http://simulator.invalid';

function transportOf(baseUrl: string | undefined, fetch: AppFetch | undefined): Transport {
  if (baseUrl !== undefined) {
    // Surfaces have paths of their own under the host; the URL may end in the first of them.
    return createUndiciTransport({ baseUrl: baseUrl.replace(/\/v1$/, '') });
  }
  assert(fetch !== undefined, 'a simulator without a baseUrl needs its app');
  return createAppTransport({ baseUrl: inProcessUrl, fetch });
}
