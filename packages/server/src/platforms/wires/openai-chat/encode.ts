import type { ToolChoice } from '@model-gateway/contract';
import type { JsonFormat, ModelTool } from '../../model/model-request.ts';
import type { SurfaceCodec } from '../codec/surface-codec.ts';
import { encodeMessages, findUnspeakable } from './encode-messages.ts';

export type OutputLimit = 'max_tokens' | 'max_completion_tokens';

/**
 * Omits undefined fields. Refuses, never drops, what the wire cannot express: the caller would pay
 * for another answer than requested.
 */
export function createEncode(outputLimit: OutputLimit): SurfaceCodec['encode'] {
  // No other server is asked so, and none is sure to know the fields of OpenAI alone.
  const isOpenAi = outputLimit === 'max_completion_tokens';
  return (upstreamModel, request) => {
    const { messages, maxTokens, stop, tools = [], toolChoice } = request;
    const unspeakable = findUnspeakable(messages);
    if (unspeakable !== undefined) return { problem: `no words for ${unspeakable}` };
    const hasTools = tools.length > 0;
    const body = {
      model: upstreamModel,
      max_tokens: isOpenAi ? undefined : maxTokens,
      max_completion_tokens: isOpenAi ? maxTokens : undefined,
      temperature: request.temperature,
      top_p: request.topP,
      frequency_penalty: request.frequencyPenalty,
      presence_penalty: request.presencePenalty,
      response_format: request.json && encodeFormat(request.json),
      // Platforms refuse a list without an entry, of these as of tools.
      stop: stop?.length === 0 ? undefined : stop,
      seed: request.seed,
      reasoning_effort: request.reasoning,
      messages: encodeMessages(messages, request.verbatim),
      tools: hasTools ? tools.map(encodeTool) : undefined,
      tool_choice: hasTools ? encodeChoice(toolChoice) : undefined,
      parallel_tool_calls: hasTools ? request.parallelToolCalls : undefined,
      verbosity: request.verbosity,
    };
    return { body };
  };
}

function encodeFormat({ schema, name = 'response', description, isStrict = true }: JsonFormat) {
  if (schema === undefined) return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { schema, strict: isStrict, name, description } };
}

function encodeTool({ name, description, inputSchema: parameters, strict }: ModelTool) {
  return { type: 'function', function: { name, description, parameters, strict } };
}

function encodeChoice(choice: ToolChoice | undefined) {
  if (typeof choice !== 'object') return choice;
  return { type: 'function', function: { name: choice.name } };
}
