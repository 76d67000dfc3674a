import type { PlatformConfig } from '../../domain/platform.ts';
import { anthropic } from '../../domain/platform-kinds/anthropic.ts';
import type { Clock } from '../../lib/clock.ts';
import { anthropicCosts, type Costs, createCosts } from '../billing/cost-api.ts';
import { createFindKeyProject } from '../billing/key-project.ts';
import type { Projects } from '../billing/projects.ts';
import { createProjects, workspacesDialect } from '../billing/projects-api.ts';
import { isFailure, type Send, type TransportFailure } from '../http/transport.ts';
import { createUndiciTransport } from '../http/undici-transport.ts';
import { createListModels } from '../model/list-models.ts';
import type { Platform, PlatformContext } from '../model/port.ts';
import { createRedact } from '../redaction/redact.ts';
import {
  anthropicVersion,
  createAnthropicMessages,
} from '../wires/anthropic-messages/anthropic-messages.ts';
import type { PricedTerms } from '../wires/codec/encoded.ts';
import { createModelCache } from '../wires/model-cache.ts';
import type { SurfaceParts } from '../wires/surface.ts';

export function createAnthropic(config: PlatformConfig, context: PlatformContext): Platform {
  const { clock, onUnsolicited, way, openShares, secrets = [] } = context;
  const { name, kind, baseUrl = anthropic.defaultUrl(), apiKey, adminApiKey, tier } = config;
  // The admin API is also below the host; the URL may end in the version prefix of both.
  const transport = createUndiciTransport({
    baseUrl: baseUrl.replace(/\/v1$/, ''),
    onUnsolicited,
    way,
    openShares,
  });
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  const versioned = { ...anthropicVersion, ...headers };
  const list = '/v1/models?limit=1000';
  const redact = createRedact([apiKey, adminApiKey, ...secrets]);
  const send = createWorkspaceWatch(transport.send);
  const parts = { context, send, headers, redact };
  const standard = createModels(parts, config);
  const requested = tier === 'priority' ? createModels(parts, config, tier) : standard;
  return {
    name,
    kind,
    needsProject: true,
    projects: workspacesOf(transport.send, adminApiKey, clock),
    costs: costsOf(transport.send, adminApiKey, clock),
    listModels: createListModels({
      send: transport.send,
      ...{ path: list, headers: versioned, redact },
    }),
    keyProject: createFindKeyProject({
      ...{ send: transport.send, headers: versioned, header: workspaceHeader },
      questions: [{ method: 'GET', path: list }],
    }),
    model(row) {
      const models = row.price?.terms?.tier === undefined ? standard : requested;
      return models(row.upstreamModel);
    },
    close: transport.close,
  };
}

function createModels(
  parts: Pick<SurfaceParts, 'context' | 'send' | 'headers' | 'redact'>,
  { region }: PlatformConfig,
  tier?: 'priority',
) {
  return createModelCache(
    createAnthropicMessages({
      ...{ ...parts, path: '/v1/messages', projectHeader: workspaceHeader },
      pricedTerms: (upstreamModel) => pricedTermsOf(upstreamModel, { region, tier }),
      namesOtherTier: tier !== undefined,
    }),
  );
}

/**
 * Without a tier, `auto` may use an organization's priority tier. Without a region, the workspace's
 * default may cost 10 % more.
 */
function pricedTermsOf(
  upstreamModel: string,
  { region = 'global', tier }: Readonly<Record<'region' | 'tier', string | undefined>>,
): PricedTerms {
  const named = { service_tier: tier === 'priority' ? 'auto' : 'standard_only' };
  const hasRegion = region !== 'none' && !olderModels.test(upstreamModel);
  return hasRegion ? { ...named, inference_geo: region } : named;
}

/**
 * Models before Claude Opus 4.6 reject a region with 400 and run everywhere. Source: Anthropic,
 * "Data residency".
 */
const olderModels = /^claude-(?:\d|instant|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8}|-latest)?$)/;

function costsOf(send: Send, adminApiKey: string | undefined, clock: Clock): Costs | undefined {
  if (adminApiKey === undefined) return undefined;
  const headers = { ...anthropicVersion, 'x-api-key': adminApiKey };
  return createCosts({ send, clock, headers, dialect: anthropicCosts });
}

/** The admin API requires a separate key; without it, nothing is found. */
function workspacesOf(
  send: Send,
  adminApiKey: string | undefined,
  clock: Clock,
): Projects | undefined {
  if (adminApiKey === undefined) return undefined;
  return createProjects({
    send,
    clock,
    path: '/v1/organizations/workspaces',
    headers: { ...anthropicVersion, 'x-api-key': adminApiKey },
    takesTags: false,
    dialect: workspacesDialect,
  });
}

/** In a call, the workspace to bill; in its response, the billed workspace. */
const workspaceHeader = 'anthropic-workspace-id';

/**
 * Stops calls of a workspace after another was billed. A key bound to one workspace ignores the
 * header and would pay for all apps.
 */
function createWorkspaceWatch(send: Send): Send {
  const payers = new Map<string, string>();
  return async (request) => {
    const named = request.headers[workspaceHeader];
    const payer = payers.get(named ?? '');
    if (payer !== undefined) return misbilled(named, payer);
    const response = await send(request);
    if (isFailure(response)) return response;
    const paying = response.headers[workspaceHeader];
    if (named !== undefined && paying !== undefined && paying !== named) payers.set(named, paying);
    return response;
  };
}

function misbilled(named: string | undefined, payer: string): TransportFailure {
  const message = `a call for workspace ${named} was billed to ${payer}; use a key of the whole organization, or one platform per workspace with its own key, then restart`;
  return {
    kind: 'no-credentials',
    wasSent: false,
    causeCode: 'OTHER_WORKSPACE',
    message,
    answer: undefined,
  };
}
