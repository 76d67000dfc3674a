import {
  AnthropicLanguageModel,
  supportsNativeStructuredOutputSchema,
} from '@ai-sdk/anthropic/internal';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { SurfaceCodec } from '../surface.ts';

/** Never sent to: the library asks for it. */
const config = {
  provider: 'anthropic',
  baseURL: '',
  // The mode of each call says whether a schema is sent, and no tool is sent as strict.
  supportsNativeStructuredOutput: false,
  supportsStrictTools: false,
};

/**
 * A call in the words of Anthropic messages, by the AI SDK. What it would change of a caller's own
 * numbers is put back: the hold was made for this maximum, and a setting that a model does not take
 * is for the platform to refuse, not for us to drop in silence.
 */
export const encode: SurfaceCodec['encode'] = async (upstreamModel, options) => {
  const { maxOutputTokens, temperature, topP, prompt, responseFormat } = options;
  const { args, warnings } = await AnthropicLanguageModel.prepareRequest({
    modelId: upstreamModel,
    config,
    options: {
      ...described(options),
      prompt: instructionsFirst(prompt),
      providerOptions: { anthropic: { structuredOutputMode: modeOf(responseFormat) } },
      stream: false,
      userSuppliedBetas: new Set(),
    },
  });
  const maxTokens = maxOutputTokens ?? args.max_tokens;
  return { body: { ...args, max_tokens: maxTokens, temperature, top_p: topP }, warnings };
};

/**
 * The wire has one place for instructions, before the conversation; only some models take them
 * within it.
 */
function instructionsFirst(prompt: LanguageModelV4CallOptions['prompt']) {
  const isSystem = ({ role }: (typeof prompt)[number]) => role === 'system';
  return [...prompt.filter(isSystem), ...prompt.filter((message) => !isSystem(message))];
}

/** The wire has no place for what an object is, but in its schema. */
function described(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { responseFormat: format } = options;
  if (format?.type !== 'json' || format.schema === undefined) return options;
  const { schema, description } = format;
  if (description === undefined || schema.description !== undefined) return options;
  return { ...options, responseFormat: { ...format, schema: { ...schema, description } } };
}

/**
 * A schema that the platform would refuse, or could only fill in part, goes into a tool that has to
 * be called.
 */
function modeOf(format: LanguageModelV4CallOptions['responseFormat']) {
  if (format?.type !== 'json' || format.schema === undefined) return 'outputFormat';
  return supportsNativeStructuredOutputSchema(format.schema) ? 'outputFormat' : 'jsonTool';
}
