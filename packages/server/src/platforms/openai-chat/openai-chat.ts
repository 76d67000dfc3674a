import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { createSurface, type SurfaceModels, type SurfaceParts } from '../surface.ts';
import { readUsage } from './read-usage.ts';

/** What a surface of chat completions consists of. */
export interface OpenAiChatParts extends SurfaceParts {
  /** What the most output tokens are called; the older name, which every server knows, if unset. */
  readonly outputLimit?: 'max_tokens' | 'max_completion_tokens';
}

/**
 * Models that speak OpenAI's chat completions. The AI SDK encodes and decodes; the exchange between
 * is our own, which makes a call a quarter cheaper than its `doGenerate` would.
 */
export function createOpenAiChat(parts: OpenAiChatParts): SurfaceModels {
  // Made once for all models, since making it costs as much as five calls. It never sends.
  const library = new OpenAICompatibleChatLanguageModel('', {
    provider: 'openaiCompatible',
    url: () => parts.path,
    // Without it a schema is dropped and plain JSON asked for.
    supportsStructuredOutputs: true,
  });
  const { outputLimit = 'max_tokens' } = parts;
  return createSurface(parts, {
    async encode(upstreamModel, options) {
      const { body, warnings } = await library.prepareRequest(options);
      body.model = upstreamModel;
      if (outputLimit === 'max_tokens') return { body, warnings };
      const { max_tokens: limit, ...rest } = body;
      return { body: { ...rest, [outputLimit]: limit }, warnings };
    },
    // The choices alone: the library's schema would refuse the whole answer for an odd usage or id.
    decode: ({ choices }) => library.convertResponse({ body: { choices } }),
    readUsage,
  });
}
