import { OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal';
import {
  type LanguageModelV4CallOptions,
  type SharedV4Warning,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import type { SurfaceCodec } from '../surface.ts';

/** Writes requests of the responses surface; the platform is to keep none of their answers. */
export function createEncode(path: string): SurfaceCodec['encode'] {
  const config = { provider: 'openai', url: () => path };
  return async (upstreamModel, options) => {
    const prepared = await OpenAIResponsesLanguageModel.prepareRequest({
      modelId: upstreamModel,
      config,
      options: optionsOf(options),
    });
    const { warnings } = prepared;
    const unsupported = warnings.find((warning) => warning.type === 'unsupported');
    // The library leaves it out and goes on: the caller would get, and pay for, something else.
    if (unsupported !== undefined) throw unsupportedOf(unsupported);
    // Asked for by the library with `store: false`: reasoning to send back, which nobody here does.
    const { include: _include, ...body } = prepared.args;
    return { body, warnings };
  };
}

function optionsOf(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { stopSequences, tools, providerOptions, ...rest } = options;
  return {
    ...rest,
    // None asked for is none that the surface lacks.
    ...(stopSequences === undefined || stopSequences.length === 0 ? {} : { stopSequences }),
    ...(tools === undefined ? {} : { tools: tools.map(notStrict) }),
    providerOptions: { openai: { ...providerOptions?.openai, store: false } },
  };
}

type Unsupported = Extract<SharedV4Warning, { type: 'unsupported' }>;

type Tool = NonNullable<LanguageModelV4CallOptions['tools']>[number];

/**
 * This surface takes functions as strict unless it is told otherwise, and refuses every schema
 * outside of its subset then; inputs are checked against the caller's schema in any case.
 */
function notStrict(tool: Tool): Tool {
  return tool.type === 'function' ? { strict: false, ...tool } : tool;
}

function unsupportedOf(warning: Unsupported) {
  const { feature: functionality, details } = warning;
  const message = details ?? `the responses surface has no ${functionality}`;
  return new UnsupportedFunctionalityError({ functionality, message });
}
