import type { CatalogModel } from '../../../catalog/catalog.ts';
import { type CarryName, chatCarryNames } from '../../../domain/carry.ts';
import { readUsage } from '../../evidence/read-usage.ts';
import type { ModelPort } from '../../model/port.ts';
import { createModelCache } from '../model-cache.ts';
import { createSurface, type SurfaceModels, type SurfaceParts } from '../surface.ts';
import { createEncode, type OutputLimit } from './encode.ts';
import { ChunkFold } from './fold-chunks.ts';
import { readMessage } from './read-message.ts';

/** What a surface of chat completions consists of. */
export interface OpenAiChatParts extends SurfaceParts {
  /** The older name, which every server knows, if unset. */
  readonly outputLimit?: OutputLimit;
  /** False for a server that refuses to be asked for a stream's counts; true if unset. */
  readonly streamUsage?: boolean;
  /** What it takes back of its messages; all names of chat completions if unset. */
  readonly carryNames?: readonly CarryName[];
}

/** Models behind catalog rows, each built once: a row may say that its streams have no counts. */
export function createChatModels(
  parts: OpenAiChatParts,
): (row: Pick<CatalogModel, 'upstreamModel' | 'streamUsage'>) => ModelPort {
  const counted = createModelCache(createOpenAiChat(parts));
  const uncounted = createModelCache(createOpenAiChat({ ...parts, streamUsage: false }));
  return ({ upstreamModel, streamUsage }) =>
    streamUsage === false ? uncounted(upstreamModel) : counted(upstreamModel);
}

/**
 * Models that speak OpenAI's chat completions. Both halves are our own, since most calls come this
 * way; tests hold them against the AI SDK's, which cost a call about a third more.
 */
export function createOpenAiChat(parts: OpenAiChatParts): SurfaceModels {
  return createSurface(parts, {
    wire: 'openai-chat',
    carryNames: parts.carryNames ?? chatCarryNames,
    encode: createEncode(parts.outputLimit ?? 'max_tokens'),
    decode: readMessage,
    readUsage,
    stream: {
      // Counts come only where they are asked for.
      fields:
        parts.streamUsage === false
          ? { stream: true }
          : { stream: true, stream_options: { include_usage: true } },
      openFold: ({ messages }, tell) => new ChunkFold(messages.length, tell),
    },
  });
}
