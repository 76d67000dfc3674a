import type { Part, ToolChoice } from '@model-gateway/contract';
import { withoutBlankParts } from '../../model/blank-texts.ts';
import type {
  JsonFormat,
  ModelMessage,
  ModelTool,
  VerbatimParts,
} from '../../model/model-request.ts';
import type { SurfaceCodec } from '../codec/surface-codec.ts';

export type OutputLimit = 'max_tokens' | 'max_completion_tokens';

/**
 * Omits undefined fields. Rejects, never drops, what the wire cannot express: the caller would pay
 * for another response than requested.
 */
export function createEncode(outputLimit: OutputLimit): SurfaceCodec['encode'] {
  // Only OpenAI gets this name; other servers might not support OpenAI's own fields.
  const isOpenAi = outputLimit === 'max_completion_tokens';
  return (upstreamModel, request) => {
    const { messages, maxTokens, stop, tools = [], toolChoice } = request;
    const unspeakable = findUnspeakable(messages);
    if (unspeakable !== undefined)
      return { problem: `chat completions cannot express ${unspeakable}` };
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
      // Platforms reject an empty list, also of tools.
      stop: stop?.length === 0 ? undefined : stop,
      seed: request.seed,
      reasoning_effort: request.reasoning,
      messages: messages.map((message) => encodeMessage(message, request.verbatim)),
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

function findUnspeakable(messages: readonly ModelMessage[]): string | undefined {
  for (const message of messages) {
    if (message.role !== 'user' || typeof message.content === 'string') continue;
    for (const part of message.content) {
      const isImage = part.type === 'text' || /^image\/[^*]/.test(part.mediaType);
      if (!isImage) return `a file of ${part.mediaType}`;
    }
  }
  return undefined;
}

function encodeMessage(message: ModelMessage, verbatim?: VerbatimParts): object {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: encodeUser(message.content, verbatim) };
    case 'assistant':
      return encodeAssistant(message);
    case 'tool': {
      const { toolCallId: tool_call_id, name, content } = message;
      return { role: 'tool', tool_call_id, ...(name === undefined ? {} : { name }), content };
    }
  }
}

/**
 * Sends a single text as text: older servers do not support parts, and some reject a part without
 * text.
 */
function encodeUser(content: string | readonly Part[], verbatim?: VerbatimParts) {
  if (typeof content === 'string') return content;
  const parts = withoutBlankParts(content);
  const [first] = parts;
  if (first === undefined) return '';
  const isText = parts.length === 1 && first.type === 'text' && verbatim?.has(first) !== true;
  return isText ? first.text : parts.map((part) => verbatim?.get(part) ?? encodePart(part));
}

function encodePart(part: Part) {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const url = `data:${part.mediaType};base64,${part.data}`;
  return { type: 'image_url', image_url: { url } };
}

function encodeAssistant({
  content = '',
  toolCalls = [],
  carried,
}: Extract<ModelMessage, { role: 'assistant' }>) {
  const own = carried?.message;
  if (toolCalls.length === 0) return { role: 'assistant', content, ...own };
  const calls = toolCalls.map(({ id, name, input, written = JSON.stringify(input) }, index) => {
    const called = { name, arguments: written };
    return { id, type: 'function', function: called, ...carried?.calls[index] };
  });
  return { role: 'assistant', content: content === '' ? null : content, ...own, tool_calls: calls };
}
