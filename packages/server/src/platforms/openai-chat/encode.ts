import { type LanguageModelV4CallOptions, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import type { SurfaceCodec } from '../surface.ts';
import { encodeMessages } from './encode-messages.ts';

/** What the most output tokens are called. */
export type OutputLimit = 'max_tokens' | 'max_completion_tokens';

/**
 * Writes calls as chat completions. What is undefined here is missing on the wire. What the wire
 * has no words for is refused, never dropped: the caller would pay for another answer than was
 * asked for.
 */
export function createEncode(outputLimit: OutputLimit): SurfaceCodec['encode'] {
  const isNew = outputLimit === 'max_completion_tokens';
  return (upstreamModel, options) => {
    const { maxOutputTokens, stopSequences, tools, toolChoice, reasoning, topK } = options;
    if (topK !== undefined) throw unsupported('topK');
    const hasTools = tools !== undefined && tools.length > 0;
    const body = {
      model: upstreamModel,
      max_tokens: isNew ? undefined : maxOutputTokens,
      max_completion_tokens: isNew ? maxOutputTokens : undefined,
      temperature: options.temperature,
      top_p: options.topP,
      frequency_penalty: options.frequencyPenalty,
      presence_penalty: options.presencePenalty,
      response_format: encodeFormat(options),
      // Platforms refuse a list without an entry, of these as of tools.
      stop: stopSequences?.length === 0 ? undefined : stopSequences,
      seed: options.seed,
      reasoning_effort: reasoning === 'provider-default' ? undefined : reasoning,
      messages: encodeMessages(options.prompt),
      tools: hasTools ? tools.map(encodeTool) : undefined,
      tool_choice: hasTools ? encodeChoice(toolChoice) : undefined,
    };
    return { body, warnings: [] };
  };
}

function encodeFormat({ responseFormat, providerOptions }: LanguageModelV4CallOptions) {
  if (responseFormat?.type !== 'json') return undefined;
  const { schema, name = 'response', description } = responseFormat;
  if (schema === undefined) return { type: 'json_object' };
  const strict = providerOptions?.openaiCompatible?.strictJsonSchema ?? true;
  return { type: 'json_schema', json_schema: { schema, strict, name, description } };
}

type Tool = NonNullable<LanguageModelV4CallOptions['tools']>[number];

function encodeTool(tool: Tool) {
  if (tool.type !== 'function') throw unsupported(`the tool ${tool.id}`);
  const { name, description, inputSchema: parameters, strict } = tool;
  return { type: 'function', function: { name, description, parameters, strict } };
}

function encodeChoice(choice: LanguageModelV4CallOptions['toolChoice']) {
  if (choice?.type !== 'tool') return choice?.type;
  return { type: 'function', function: { name: choice.toolName } };
}

function unsupported(functionality: string) {
  return new UnsupportedFunctionalityError({ functionality });
}
