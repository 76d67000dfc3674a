import { createSurface, type SurfaceModels, type SurfaceParts } from '../surface.ts';
import { createEncode, type OutputLimit } from './encode.ts';
import { ChunkFold } from './fold-chunks.ts';
import { readMessage } from './read-message.ts';
import { readUsage } from './read-usage.ts';

/** What a surface of chat completions consists of. */
export interface OpenAiChatParts extends SurfaceParts {
  /** The older name, which every server knows, if unset. */
  readonly outputLimit?: OutputLimit;
}

/**
 * Models that speak OpenAI's chat completions. Both halves are our own, since most calls come this
 * way; tests hold them against the AI SDK's, which cost a call about a third more.
 */
export function createOpenAiChat(parts: OpenAiChatParts): SurfaceModels {
  return createSurface(parts, {
    encode: createEncode(parts.outputLimit ?? 'max_tokens'),
    decode: (answer, { messages }) => readMessage(answer, messages.length),
    readUsage,
    stream: {
      // Counts come only where they are asked for.
      fields: { stream: true, stream_options: { include_usage: true } },
      openFold: (_, tell) => new ChunkFold(tell),
    },
  });
}
