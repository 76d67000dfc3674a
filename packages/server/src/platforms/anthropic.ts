import type { PlatformConfig } from '../domain/platform.ts';
import type { Clock } from '../lib/clock.ts';
import {
  anthropicVersion,
  createAnthropicMessages,
} from './anthropic-messages/anthropic-messages.ts';
import { vendorUrls } from './base-url.ts';
import { anthropicCosts, type Costs, createCosts } from './cost-api.ts';
import { createListModels } from './list-models.ts';
import { createModelCache } from './model-cache.ts';
import type { Platform, PlatformContext } from './port.ts';
import type { Projects } from './projects.ts';
import { createProjects, workspacesDialect } from './projects-api.ts';
import { createRedact } from './redact.ts';
import type { Send } from './transport.ts';
import { createUndiciTransport } from './undici-transport.ts';
import { createWorkspaceWatch, workspaceHeader } from './workspace-watch.ts';

/** Anthropic's own API. An app's project is a workspace, which every call names. */
export function createAnthropic(config: PlatformConfig, context: PlatformContext): Platform {
  const { clock, onUnsolicited, secrets = [] } = context;
  const { name, kind, baseUrl = vendorUrls.anthropic, apiKey, adminApiKey } = config;
  // The admin API is below the host too; the URL may end in the version that both begin with.
  const transport = createUndiciTransport({
    baseUrl: baseUrl.replace(/\/v1$/, ''),
    onUnsolicited,
  });
  const headers = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  const redact = createRedact([apiKey, adminApiKey, ...secrets]);
  const model = createAnthropicMessages({
    context,
    send: createWorkspaceWatch(transport.send),
    path: '/v1/messages',
    headers,
    projectHeader: workspaceHeader,
    // Without a word it is `auto`, which takes of a priority tier what an organization has of it.
    pricedTier: 'standard_only',
    redact,
  });
  const models = createModelCache(model);
  return {
    name,
    kind,
    needsProject: true,
    projects: workspacesOf(transport.send, adminApiKey, clock),
    costs: costsOf(transport.send, adminApiKey, clock),
    listModels: createListModels({
      send: transport.send,
      path: '/v1/models?limit=1000',
      headers: { ...anthropicVersion, ...headers },
      redact,
    }),
    model: (row) => models(row.upstreamModel),
    close: transport.close,
  };
}

function costsOf(send: Send, adminApiKey: string | undefined, clock: Clock): Costs | undefined {
  if (adminApiKey === undefined) return undefined;
  const headers = { ...anthropicVersion, 'x-api-key': adminApiKey };
  return createCosts({ send, clock, headers, dialect: anthropicCosts });
}

/** Anthropic's admin API. Its key is not that of calls; without it nothing is found. */
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
