import { createSurface, type SurfaceModels, type SurfaceParts } from '../surface.ts';
import { createEncode, type OutputLimit } from './encode.ts';
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
  });
}
