import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4GenerateResult,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { isRecord, parseJson } from './json.ts';
import type { CallOptions, PlatformModel, ReportedUsage } from './port.ts';
import type { Redact } from './redact.ts';
import { usageOf } from './reported-usage.ts';
import { answerBytesFor, type Send, type SendResponse } from './transport.ts';

/** What a platform's surface consists of, whichever wire it speaks. */
export interface SurfaceParts {
  /** The platform's name in the configuration. */
  readonly platform: string;
  readonly send: Send;
  /** Follows the transport's base URL. */
  readonly path: string;
  /** Headers of every call: the credential. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The header that bills a call to a project, or all that may be it; undefined where the platform
   * has no projects.
   */
  readonly projectHeader: string | readonly string[] | undefined;
  readonly redact: Redact;
}

/** How one wire writes a request and reads an answer. It never sends. */
export interface SurfaceCodec {
  /** Throws an UnsupportedFunctionalityError for what the wire has no words for. */
  encode(
    upstreamModel: string,
    options: LanguageModelV4CallOptions,
  ): EncodedRequest | Promise<EncodedRequest>;
  /** Undefined for an answer that is none; never throws. */
  decode(answer: Answer, options: LanguageModelV4CallOptions): Decoded | undefined;
  readUsage(body: unknown): ReportedUsage;
}

/** An answer's own JSON. */
export type Answer = Readonly<Record<string, unknown>>;

interface EncodedRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly warnings: LanguageModelV4GenerateResult['warnings'];
}

type Decoded = Pick<LanguageModelV4GenerateResult, 'content' | 'finishReason'>;

/** Models of a surface, by their upstream ids. */
export type SurfaceModels = (upstreamModel: string) => PlatformModel;

/**
 * Puts our own exchange between the two halves of a codec, so that what was sent is known and
 * counts are read before any library sees them.
 */
export function createSurface(given: SurfaceParts, codec: SurfaceCodec): SurfaceModels {
  const { projectHeader = [], redact } = given;
  const names = typeof projectHeader === 'string' ? [projectHeader] : projectHeader;
  const parts = { ...given, headers: { ...jsonHeaders, ...given.headers } };
  return (upstreamModel) => ({
    languageModel: languageModelOf(parts, codec, upstreamModel),
    needsProject: names.length > 0,
    projectHeaders,
    readUsage: codec.readUsage,
    redact,
  });

  function projectHeaders(projectId: string) {
    const headers: Record<string, string> = {};
    for (const name of names) headers[name] = projectId;
    return headers;
  }
}

/** Headers of every call to a JSON surface. */
const jsonHeaders = {
  'content-type': 'application/json',
  accept: 'application/json',
  'accept-encoding': 'identity',
  // Some front ends refuse a request without one.
  'user-agent': 'model-gateway',
};

function languageModelOf(
  parts: SurfaceParts,
  codec: SurfaceCodec,
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

  async function doGenerate(options: CallOptions): Promise<LanguageModelV4GenerateResult> {
    const { body, warnings } = await codec.encode(upstreamModel, options);
    const response = await post(parts, body, options);
    const answer = readJson(parts, response);
    const decoded = codec.decode(answer, options);
    if (decoded === undefined) throw callError(parts, response, 'the answer is of another shape');
    return {
      content: decoded.content,
      finishReason: decoded.finishReason,
      warnings,
      usage: usageOf(codec.readUsage(answer)),
      response: { headers: response.headers, body: answer },
    };
  }
}

/** Apart, so that no frame that waits for the answer holds the request's text. */
function post(
  parts: SurfaceParts,
  body: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<SendResponse> {
  const text = JSON.stringify(body);
  const { maxOutputTokens } = options;
  return parts.send({
    method: 'POST',
    path: parts.path,
    headers: headersOf(parts.headers, options.headers),
    body: text,
    answerBytesMax:
      maxOutputTokens === undefined
        ? undefined
        : answerBytesFor(maxOutputTokens, Buffer.byteLength(text)),
    signal: options.abortSignal ?? new AbortController().signal,
    app: options.app,
    onHead: options.onHead,
  });
}

/** An answer that is none is an APICallError with its status, as with every AI SDK model. */
function readJson(parts: SurfaceParts, response: SendResponse): Answer {
  const isSuccess = response.status >= 200 && response.status < 300;
  if (!isSuccess) throw callError(parts, response, 'the platform refused the request');
  const answer = parseJson(response.body.toString())?.value;
  if (!isRecord(answer)) throw callError(parts, response, 'the answer is no JSON object');
  return answer;
}

function callError({ path }: SurfaceParts, response: SendResponse, message: string) {
  return new APICallError({
    message,
    url: path,
    // Left out: it is the prompt.
    requestBodyValues: undefined,
    statusCode: response.status,
    responseHeaders: response.headers,
    responseBody: response.body.toString(),
  });
}

/** Headers of every call, and those of this one. */
function headersOf(
  base: Readonly<Record<string, string>>,
  call: LanguageModelV4CallOptions['headers'],
): Record<string, string> {
  const headers = { ...base };
  for (const name in call) {
    const value = call[name];
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}
