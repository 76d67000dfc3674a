import {
  AnthropicLanguageModel,
  supportsNativeStructuredOutputSchema,
} from '@ai-sdk/anthropic/internal';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { withoutBlankTexts } from '../model/blank-texts.ts';
import { carriedList } from '../model/carry.ts';
import type { ModelMessage, ModelRequest } from '../model/model-request.ts';
import { objectInput } from '../model/written-calls.ts';
import type { SurfaceCodec } from '../wires/codec/surface-codec.ts';
import { callOptionsOf } from './call-options.ts';
import type { ReasoningOf } from './reasoning-parts.ts';
import { thinkingWithin } from './thinking-budget.ts';
import { orProblem } from './unsupported.ts';

/** Never called; the library requires it. */
const config = {
  provider: 'anthropic',
  baseURL: '',
  // The mode of each call decides whether a schema is sent. No tool is sent as strict.
  supportsNativeStructuredOutput: false,
  supportsStrictTools: false,
};

/**
 * Encodes with the AI SDK, then restores the caller's numbers that it changes. The reservation
 * covers this maximum, and the platform must reject a setting that a model lacks.
 */
export const encodeAnthropicMessages: SurfaceCodec['encode'] = (upstreamModel, request) =>
  orProblem(async () => {
    const { maxTokens, temperature, topP } = request;
    const options = optionsOf(upstreamModel, request);
    if (options.prompt.every(({ role }) => role === 'system'))
      return { problem: 'a conversation requires text or a file from the user' };
    const { args } = await AnthropicLanguageModel.prepareRequest({
      modelId: upstreamModel,
      config,
      options: {
        ...options,
        providerOptions: { anthropic: anthropicOptions(request) },
        stream: false,
        userSuppliedBetas: new Set(),
      },
    });
    const thinking = thinkingWithin(maxTokens, args.thinking);
    return { body: { ...args, thinking, max_tokens: maxTokens, temperature, top_p: topP } };
  });

/** Claude 1 to 3.5 cannot think and reject a request for it. 3.7 can. */
const withoutThinking = /claude-(?:instant|v?[12](?=$|[-.:])|3(?=$|-(?!7)|\.(?!7)))/;

function anthropicOptions({ parallelToolCalls, ...request }: ModelRequest) {
  const structuredOutputMode = modeOf(request);
  return parallelToolCalls === undefined
    ? { structuredOutputMode }
    : { structuredOutputMode, disableParallelToolUse: !parallelToolCalls };
}

function optionsOf(upstreamModel: string, request: ModelRequest): LanguageModelV4CallOptions {
  const { messages, json, reasoning } = request;
  const adjusted = {
    ...request,
    reasoning: withoutThinking.test(upstreamModel) ? undefined : reasoning,
    messages: instructionsFirst(withoutBlankTexts(messages)).map(withObjectInputs),
    json: json && { ...json, schema: describedSchema(json) },
  };
  return callOptionsOf(adjusted, thinkingOf);
}

/** Platforms accept only blocks that they signed. */
const thinkingOf: ReasoningOf = ({ carried }) =>
  carriedList(carried, 'thinking_blocks').flatMap(({ type, thinking, signature, data, index }) => {
    const isSigned = typeof signature === 'string' && signature !== '';
    if (type === 'thinking' && typeof thinking === 'string' && isSigned)
      return [{ part: reasoningPart(thinking, { signature }), index }];
    const isRedacted = type === 'redacted_thinking' && typeof data === 'string';
    return isRedacted ? [{ part: reasoningPart('', { redactedData: data }), index }] : [];
  });

function reasoningPart(text: string, anthropic: Readonly<Record<string, string>>) {
  return { type: 'reasoning', text, providerOptions: { anthropic } } as const;
}

function withObjectInputs(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
  const toolCalls = message.toolCalls.map((call) => {
    return { ...call, input: objectInput(call.input, call.written) };
  });
  return { ...message, toolCalls };
}

/** The wire has instructions only before the conversation; few models accept them within it. */
function instructionsFirst(messages: ModelRequest['messages']) {
  const isSystem = ({ role }: (typeof messages)[number]) => role === 'system';
  return [...messages.filter(isSystem), ...messages.filter((message) => !isSystem(message))];
}

function describedSchema({ schema, description }: NonNullable<ModelRequest['json']>) {
  if (schema === undefined || description === undefined) return schema;
  return schema.description === undefined ? { ...schema, description } : schema;
}

/** A schema that the platform would reject or apply only in part goes into a forced tool call. */
function modeOf({ json }: Pick<ModelRequest, 'json'>) {
  if (json?.schema === undefined) return 'outputFormat';
  return supportsNativeStructuredOutputSchema(json.schema) ? 'outputFormat' : 'jsonTool';
}
