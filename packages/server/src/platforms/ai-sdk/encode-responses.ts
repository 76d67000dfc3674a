import { OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { isRecord } from '../../lib/json-value.ts';
import { withoutBlankTexts } from '../blank-texts.ts';
import type { ModelRequest } from '../model-request.ts';
import type { SurfaceCodec } from '../surface-codec.ts';
import { callOptionsOf } from './call-options.ts';
import { orProblem } from './unsupported.ts';

/** Writes requests of the responses surface; the platform is to keep none of their answers. */
export function createEncodeResponses(path: string): SurfaceCodec['encode'] {
  const config = { provider: 'openai', url: () => path };
  return (upstreamModel, request) =>
    orProblem(async () => {
      const messages = withoutBlankTexts(request.messages);
      if (messages.length === 0) return { problem: 'no conversation without a text or a file' };
      const prepared = await OpenAIResponsesLanguageModel.prepareRequest({
        modelId: upstreamModel,
        config,
        options: optionsOf({ ...request, messages }),
      });
      const unsupported = prepared.warnings.find((warning) => warning.type === 'unsupported');
      // The library leaves it out and goes on: the caller would get, and pay for, something else.
      if (unsupported !== undefined) {
        const { feature, details } = unsupported;
        return { problem: details ?? `the responses surface has no ${feature}` };
      }
      // Asked for by the library with `store: false`: reasoning to send back, never used.
      const { include: _include, ...body } = prepared.args;
      const input = withWrittenArguments(body.input, messages);
      return { body: { ...body, input } };
    });
}

/** Arguments that are not JSON go as their text, of which the library makes a string of JSON. */
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
 * This surface takes functions as strict unless it is told otherwise, and refuses every schema
 * outside of its subset then; inputs are checked against the caller's schema in any case.
 */
function optionsOf(request: ModelRequest): LanguageModelV4CallOptions {
  const { parallelToolCalls, verbosity: textVerbosity } = request;
  const { stopSequences, tools, providerOptions, ...rest } = callOptionsOf(request);
  return {
    ...rest,
    // None asked for is none that the surface lacks.
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
