import { OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { fieldOf, isRecord } from '../../lib/json-value.ts';
import { withoutBlankTexts } from '../model/blank-texts.ts';
import { carriedList } from '../model/carry.ts';
import type { ModelRequest } from '../model/model-request.ts';
import { returnable } from '../wires/codec/reasoning-item.ts';
import type { SurfaceCodec } from '../wires/codec/surface-codec.ts';
import { callOptionsOf } from './call-options.ts';
import type { ReasoningOf } from './reasoning-parts.ts';
import { orProblem } from './unsupported.ts';

/** The platform must store no response. */
export function createEncodeResponses(path: string): SurfaceCodec['encode'] {
  const config = { provider: 'openai', url: () => path };
  return (upstreamModel, request) =>
    orProblem(async () => {
      const messages = withoutBlankTexts(request.messages);
      if (messages.length === 0) return { problem: 'a conversation requires text or a file' };
      const prepared = await OpenAIResponsesLanguageModel.prepareRequest({
        modelId: upstreamModel,
        config,
        options: optionsOf({ ...request, messages }),
      });
      const unsupported = prepared.warnings.find((warning) => warning.type === 'unsupported');
      // The library omits it without an error: the caller would get, and pay for, something else.
      if (unsupported !== undefined) {
        const { feature, details } = unsupported;
        return { problem: details ?? `the Responses API does not support ${feature}` };
      }
      const input = withWrittenArguments(withReasoning(prepared.args.input, messages), messages);
      return { body: { ...prepared.args, input } };
    });
}

/** Replaces a reasoning item while the library encodes: it supports few of the item's fields. */
const placeholderOf = (index: number) => `reasoning ${index}`;

function withReasoning(
  items: readonly unknown[],
  messages: ModelRequest['messages'],
): readonly unknown[] {
  const carried = messages.flatMap((message) =>
    message.role === 'assistant' ? reasoningItems(message) : [],
  );
  if (carried.length === 0) return items;
  const byPlaceholder = new Map<unknown, unknown>(
    carried.map(({ sent }, index) => [placeholderOf(index), sent] as const),
  );
  return items.map((item) => byPlaceholder.get(fieldOf(item, 'id')) ?? item);
}

function reasoningItems({ carried }: Parameters<ReasoningOf>[0]) {
  return carriedList(carried, 'reasoning_items').flatMap((item) => {
    const sent = returnable(item);
    return sent === undefined ? [] : [{ sent, index: item.index }];
  });
}

function createReasoningOf(): ReasoningOf {
  let count = 0;
  return (message) =>
    reasoningItems(message).map(({ index }) => {
      const placeholder = placeholderOf(count++);
      // The library omits the part without both.
      const openai = { itemId: placeholder, reasoningEncryptedContent: placeholder };
      return { part: { type: 'reasoning', text: '', providerOptions: { openai } }, index };
    });
}

/** Sends arguments that are not JSON as raw text; the library would make a JSON string. */
function withWrittenArguments(
  items: readonly unknown[],
  messages: ModelRequest['messages'],
): readonly unknown[] {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  if (calls.every(({ written }) => written === undefined)) return items;
  let at = 0;
  return items.map((item) => {
    if (!isRecord(item) || item.type !== 'function_call') return item;
    const { written } = calls[at++] ?? {};
    return written === undefined ? item : { ...item, arguments: written };
  });
}

/**
 * This wire format defaults to strict functions and then rejects schemas outside its subset. Inputs
 * are checked against the caller's schema anyway.
 */
function optionsOf(request: ModelRequest): LanguageModelV4CallOptions {
  const { parallelToolCalls, verbosity: textVerbosity } = request;
  const callOptions = callOptionsOf(request, createReasoningOf());
  const { stopSequences, tools, providerOptions, ...rest } = callOptions;
  return {
    ...rest,
    // An empty list would be reported as a setting that the wire format lacks.
    ...(stopSequences === undefined || stopSequences.length === 0 ? {} : { stopSequences }),
    ...(tools !== undefined && { tools: tools.map((tool) => ({ strict: false, ...tool })) }),
    providerOptions: {
      openai: {
        ...providerOptions?.openai,
        ...(parallelToolCalls !== undefined && { parallelToolCalls }),
        ...(textVerbosity !== undefined && { textVerbosity }),
        store: false,
      },
    },
  };
}
