import type { CatalogModel } from '../../catalog/catalog.ts';
import type { PathFamily } from '../../domain/path-family.ts';
import type { ModelPort } from '../model/port.ts';
import { createAnthropicMessages } from '../wires/anthropic-messages/anthropic-messages.ts';
import { createModelCache } from '../wires/model-cache.ts';
import { createChatModels } from '../wires/openai-chat/openai-chat.ts';
import { createOpenAiResponses } from '../wires/openai-responses/openai-responses.ts';
import type { SurfaceModels, SurfaceParts } from '../wires/surface.ts';

export type MantleModelsParts = Pick<SurfaceParts, 'context' | 'send' | 'redact'>;

/** A model without a row uses the most common path. */
export function familyOf({ speaks }: CatalogModel): PathFamily {
  return speaks?.[0] ?? 'v1-chat';
}

/**
 * Mantle ignores the documented header; the working one is undocumented. Source: platforms, 1.3.
 */
const workspaceHeaders = ['anthropic-workspace-id', 'anthropic-workspace'];

export function createMantleModels(parts: MantleModelsParts): (row: CatalogModel) => ModelPort {
  const openAi = { ...parts, headers: {}, projectHeader: 'openai-project' };
  const anthropic = { ...parts, headers: {}, projectHeader: workspaceHeaders };
  const families: Record<PathFamily, (row: CatalogModel) => ModelPort> = {
    'v1-chat': createChatModels({ ...openAi, path: '/v1/chat/completions' }),
    'v1-responses': cached(createOpenAiResponses, { ...openAi, path: '/v1/responses' }),
    'openai-v1-chat': createChatModels({ ...openAi, path: '/openai/v1/chat/completions' }),
    'openai-v1-responses': cached(createOpenAiResponses, {
      ...openAi,
      path: '/openai/v1/responses',
    }),
    'anthropic-v1-messages': cached(createAnthropicMessages, {
      ...anthropic,
      path: '/anthropic/v1/messages',
    }),
  };
  return (row) => families[familyOf(row)](row);
}

function cached(
  create: (parts: SurfaceParts) => SurfaceModels,
  parts: SurfaceParts,
): (row: CatalogModel) => ModelPort {
  const models = createModelCache(create(parts));
  return (row) => models(row.upstreamModel);
}
