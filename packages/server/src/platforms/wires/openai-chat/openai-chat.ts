import type { CatalogModel } from '../../../catalog/catalog.ts';
import { type CarryName, chatCarryNames } from '../../../domain/carry.ts';
import { readUsage } from '../../evidence/read-usage.ts';
import type { ModelPort } from '../../model/port.ts';
import { createModelCache } from '../model-cache.ts';
import { createSurface, type SurfaceModels, type SurfaceParts } from '../surface.ts';
import { createEncode, type OutputLimit } from './encode.ts';
import { ChunkFold } from './fold-chunks.ts';
import { readMessage } from './read-message.ts';

export interface OpenAiChatParts extends SurfaceParts {
  /** Default: the older name, which every server supports. */
  readonly outputLimit?: OutputLimit;
  /** False for a server that rejects a request for stream counts. Default: true. */
  readonly streamUsage?: boolean;
  /** Default: all names of chat completions. */
  readonly carryNames?: readonly CarryName[];
}

/** Two caches, because a row may have streams without counts. */
export function createChatModels(
  parts: OpenAiChatParts,
): (row: Pick<CatalogModel, 'upstreamModel' | 'streamUsage'>) => ModelPort {
  const counted = createModelCache(createOpenAiChat(parts));
  const uncounted = createModelCache(createOpenAiChat({ ...parts, streamUsage: false }));
  return ({ upstreamModel, streamUsage }) =>
    streamUsage === false ? uncounted(upstreamModel) : counted(upstreamModel);
}

/**
 * Both halves are our own: most calls use this wire, and the AI SDK's code costs a third more.
 * Tests compare the two.
 */
export function createOpenAiChat(parts: OpenAiChatParts): SurfaceModels {
  return createSurface(parts, {
    wire: 'openai-chat',
    carryNames: parts.carryNames ?? chatCarryNames,
    encode: createEncode(parts.outputLimit ?? 'max_tokens'),
    decode: readMessage,
    readUsage,
    stream: {
      // Servers send counts only on request.
      fields:
        parts.streamUsage === false
          ? { stream: true }
          : { stream: true, stream_options: { include_usage: true } },
      openFold: ({ messages }, emit) => new ChunkFold(messages.length, emit),
    },
  });
}
