import type { ShippedModel } from '../../catalog/shipped-model.ts';
import type { PlatformConfig } from '../../domain/platform.ts';
import { createCosts, openaiCosts } from '../billing/cost-api.ts';
import { createProjects } from '../billing/projects-api.ts';
import { type AppFetch, createAppTransport } from '../http/app-transport.ts';
import type { Transport } from '../http/transport.ts';
import { createUndiciTransport } from '../http/undici-transport.ts';
import { createMantleModels } from '../mantle/models.ts';
import { createListModels } from '../model/list-models.ts';
import type { Platform, PlatformContext } from '../model/port.ts';
import { createRedact } from '../redaction/redact.ts';
import { createModelCache } from '../wires/model-cache.ts';
import { createOpenAiEmbeddings } from '../wires/openai-embeddings/openai-embeddings.ts';

export interface EmbeddedSimulator {
  readonly fetch: AppFetch;
  readonly models: readonly ShippedModel[];
}

/** Has mantle's paths; over a socket with a `baseUrl`, else in process. */
export function createSimulatorPlatform(
  config: PlatformConfig,
  context: PlatformContext,
  parts: { readonly simulator?: Pick<EmbeddedSimulator, 'fetch'> | undefined } = {},
): Platform | string {
  const { name, kind } = config;
  const transport = transportOf(config.baseUrl, parts.simulator?.fetch, context);
  if (transport === undefined)
    return 'requires a baseUrl, because no simulator runs in this process';
  const { send } = transport;
  const redact = createRedact(context.secrets ?? []);
  const chat = createMantleModels({ context, send, redact });
  const embeddings = createModelCache(
    createOpenAiEmbeddings({
      ...{ context, send, redact, path: '/v1/embeddings', headers: {} },
      ...{ projectHeader: 'openai-project', encodingFormat: 'base64' },
    }),
  );
  return {
    name,
    kind,
    needsProject: true,
    projects: createProjects({
      send,
      clock: context.clock,
      path: '/v1/organization/projects',
      headers: {},
      takesTags: true,
    }),
    costs: createCosts({
      ...{ send, clock: context.clock, headers: {} },
      dialect: openaiCosts('/v1/organization/costs'),
    }),
    listModels: createListModels({ send, path: '/v1/models', headers: {}, redact }),
    model: (row) => (row.kind === 'embeddings' ? embeddings(row.upstreamModel) : chat(row)),
    close: transport.close,
  };
}

/** Never resolved. */
const inProcessUrl = 'http://simulator.invalid';

function transportOf(
  baseUrl: string | undefined,
  fetch: AppFetch | undefined,
  context: PlatformContext,
): Transport | undefined {
  if (baseUrl !== undefined) {
    // Wire formats have their own paths under the host; the URL may end in the first of them.
    return createUndiciTransport({ ...context, baseUrl: baseUrl.replace(/\/v1$/, '') });
  }
  return fetch && createAppTransport({ baseUrl: inProcessUrl, fetch });
}
