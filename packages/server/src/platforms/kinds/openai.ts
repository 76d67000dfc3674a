import { baseUrlOf, type PlatformConfig } from '../../domain/platform.ts';
import { openAi } from '../../domain/platform-kinds/openai.ts';
import { createCosts, openaiCosts } from '../billing/cost-api.ts';
import { createFindKeyProject } from '../billing/key-project.ts';
import { createProjects } from '../billing/projects-api.ts';
import { createUndiciTransport } from '../http/undici-transport.ts';
import { createListModels } from '../model/list-models.ts';
import type { Platform, PlatformContext } from '../model/port.ts';
import { createRedact } from '../redaction/redact.ts';
import { createModelCache } from '../wires/model-cache.ts';
import { createChatModels } from '../wires/openai-chat/openai-chat.ts';
import { createOpenAiEmbeddings } from '../wires/openai-embeddings/openai-embeddings.ts';
import { createOpenAiResponses } from '../wires/openai-responses/openai-responses.ts';
import type { SurfaceParts } from '../wires/surface.ts';

/**
 * Every call names its app's project, which the key must be able to access. Uses the first path of
 * the row.
 */
export function createOpenAi(config: PlatformConfig, context: PlatformContext): Platform {
  const { clock, onUnsolicited, way, openShares, secrets = [] } = context;
  const { name, kind, apiKey, adminApiKey, tier } = config;
  const baseUrl = baseUrlOf(config) ?? openAi.defaultUrl('');
  const { send, close } = createUndiciTransport({ baseUrl, onUnsolicited, way, openShares });
  const parts = {
    context,
    send,
    headers: bearer(apiKey),
    projectHeader: 'openai-project',
    redact: createRedact([apiKey, adminApiKey, ...secrets]),
  };
  const standard = createModels(parts);
  const requested = tier && tier !== 'standard' && createModels(parts, tier);
  const embeddings = createModelCache(
    createOpenAiEmbeddings({ ...parts, path: '/embeddings', encodingFormat: 'base64' }),
  );
  return {
    name,
    kind,
    needsProject: true,
    // Projects belong to the organization: a key that calls models cannot list or create them.
    projects:
      adminApiKey === undefined
        ? undefined
        : createProjects({
            send,
            clock,
            path: '/organization/projects',
            headers: bearer(adminApiKey),
            takesTags: false,
          }),
    costs:
      adminApiKey === undefined
        ? undefined
        : createCosts({
            ...{ send, clock, headers: bearer(adminApiKey) },
            dialect: openaiCosts('/organization/costs'),
          }),
    listModels: createListModels({ ...parts, path: '/models' }),
    keyProject: createFindKeyProject({
      ...{ send, headers: parts.headers, header: parts.projectHeader },
      // The second names no model: it is rejected, and its response names the project.
      questions: [
        { method: 'GET', path: '/models' },
        { method: 'POST', path: '/chat/completions', body: '{}' },
      ],
    }),
    model(row) {
      if (row.kind === 'embeddings') return embeddings(row.upstreamModel);
      const isOfTier = requested && row.price?.terms?.tier !== undefined;
      const { chat, responses } = isOfTier ? requested : standard;
      return row.speaks?.[0] === 'v1-responses' ? responses(row.upstreamModel) : chat(row);
    },
    close,
  };
}

/** Without a tier, the project's default applies, which may cost more. */
function createModels(parts: Omit<SurfaceParts, 'path'>, tier?: string) {
  const priced = {
    ...parts,
    pricedTerms: () => ({ service_tier: tier ?? 'default' }),
    namesOtherTier: tier !== undefined,
  };
  return {
    chat: createChatModels({
      ...priced,
      path: '/chat/completions',
      // OpenAI's reasoning models reject the older name; all models accept the newer one.
      outputLimit: 'max_completion_tokens',
      // OpenAI writes none of these fields, and rejects a message with one.
      carryNames: [],
    }),
    responses: createModelCache(createOpenAiResponses({ ...priced, path: '/responses' })),
  };
}

function bearer(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
