import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4GenerateResult,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { isRecord, parseJson } from '../json.ts';
import type { PlatformModel, ReportedUsage } from '../port.ts';
import type { Redact } from '../redact.ts';
import type { Send, SendResponse } from '../transport.ts';
import { readUsage } from './read-usage.ts';

/** What a platform's chat-completions surface consists of. */
export interface OpenAiChatParts {
  /** The platform's name in the configuration. */
  readonly platform: string;
  readonly send: Send;
  /** Follows the transport's base URL. */
  readonly path: string;
  /** Headers of every call: the credential. */
  readonly headers: Readonly<Record<string, string>>;
  /** The header that bills a call to a project; undefined where the platform has no projects. */
  readonly projectHeader: string | undefined;
  readonly redact: Redact;
}

/**
 * Models that speak OpenAI's chat completions, by their upstream ids. The AI SDK encodes and
 * decodes; the exchange between is our own, which makes a call a quarter cheaper than its
 * `doGenerate` would.
 */
export function createOpenAiChat(parts: OpenAiChatParts): (upstreamModel: string) => PlatformModel {
  // Made once for all models, since making it costs as much as five calls. It never sends.
  const codec = new OpenAICompatibleChatLanguageModel('', {
    provider: 'openaiCompatible',
    url: () => parts.path,
    // Without it a schema is dropped and plain JSON asked for.
    supportsStructuredOutputs: true,
  });
  const { projectHeader, redact } = parts;
  return (upstreamModel) => ({
    languageModel: languageModelOf(parts, codec, upstreamModel),
    needsProject: projectHeader !== undefined,
    projectHeaders: (projectId) =>
      projectHeader === undefined ? {} : { [projectHeader]: projectId },
    readUsage,
    redact,
  });
}

function languageModelOf(
  parts: OpenAiChatParts,
  codec: OpenAICompatibleChatLanguageModel,
  upstreamModel: string,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: parts.platform,
    modelId: upstreamModel,
    supportedUrls: {},
    doGenerate,
    doStream: () =>
      Promise.reject(new UnsupportedFunctionalityError({ functionality: 'streaming' })),
  };

  async function doGenerate(
    options: LanguageModelV4CallOptions,
  ): Promise<LanguageModelV4GenerateResult> {
    const { body, warnings } = await codec.prepareRequest(options);
    body.model = upstreamModel;
    const response = await post(parts, body, options);
    const { answer, result } = await decode(parts, codec, response);
    return {
      ...result,
      warnings,
      usage: usageOf(readUsage(answer)),
      response: { headers: { ...response.headers }, body: answer },
    };
  }
}

/** Apart, so that no frame that waits for the answer holds the request's text. */
function post(
  parts: OpenAiChatParts,
  body: Readonly<Record<string, unknown>>,
  options: LanguageModelV4CallOptions,
): Promise<SendResponse> {
  return parts.send({
    method: 'POST',
    path: parts.path,
    headers: headersOf(parts.headers, options.headers),
    body: JSON.stringify(body),
    signal: options.abortSignal ?? new AbortController().signal,
  });
}

/** An answer that is none is an APICallError with its status, as with every AI SDK model. */
async function decode(
  { path }: OpenAiChatParts,
  codec: OpenAICompatibleChatLanguageModel,
  response: SendResponse,
) {
  const text = response.body.toString();
  const isSuccess = response.status >= 200 && response.status < 300;
  if (!isSuccess) throw callError(path, response, text, 'the platform refused the request');
  const answer = parseJson(text)?.value;
  if (!isRecord(answer)) throw callError(path, response, text, 'the answer is no JSON object');
  try {
    // The choices alone: the library's schema would refuse the whole answer for an odd usage or id.
    const result = await codec.convertResponse({ body: { choices: answer.choices } });
    return { answer, result };
  } catch {
    // The library's error quotes the answer, which belongs to a user.
    throw callError(path, response, text, 'the answer is no chat completion');
  }
}

function callError(path: string, response: SendResponse, text: string, message: string) {
  return new APICallError({
    message,
    url: path,
    // Left out: it is the prompt.
    requestBodyValues: undefined,
    statusCode: response.status,
    responseHeaders: { ...response.headers },
    responseBody: text,
  });
}

/** Headers of every call to a JSON surface, and those of this one. */
function headersOf(
  base: Readonly<Record<string, string>>,
  call: LanguageModelV4CallOptions['headers'],
): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-encoding': 'identity',
    // Some front ends refuse a request without one.
    'user-agent': 'model-gateway',
    ...base,
  };
  for (const name in call) {
    const value = call[name];
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

function usageOf(usage: ReportedUsage): LanguageModelV4GenerateResult['usage'] {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens } = usage;
  const { outputTokens, reasoningTokens } = usage;
  const cached = (cachedInputTokens ?? 0) + (cacheWriteInputTokens ?? 0);
  return {
    inputTokens: {
      total: inputTokens,
      noCache: inputTokens === undefined ? undefined : inputTokens - cached,
      cacheRead: cachedInputTokens,
      cacheWrite: cacheWriteInputTokens,
    },
    outputTokens: {
      total: outputTokens,
      text: outputTokens === undefined ? undefined : outputTokens - (reasoningTokens ?? 0),
      reasoning: reasoningTokens,
    },
  };
}
