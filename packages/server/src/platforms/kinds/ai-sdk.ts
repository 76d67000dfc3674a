import {
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4GenerateResult,
  LoadAPIKeyError,
  LoadSettingError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import type { PlatformConfig } from '../../domain/platform.ts';
import { isRecord, parseJson } from '../../lib/json-value.ts';
import { callOptionsOf } from '../ai-sdk/call-options.ts';
import { loadPackage } from '../ai-sdk/load-package.ts';
import { isLanguageModel, openProvider, type Provider } from '../ai-sdk/open-provider.ts';
import { carriedIn, contentOf } from '../ai-sdk/read-content.ts';
import { readLibraryUsage } from '../ai-sdk/read-library-usage.ts';
import { reasoningPartsOf } from '../ai-sdk/reasoning-parts.ts';
import {
  brokenAttempt,
  finishOf,
  readParts,
  type StreamedContent,
  streamedAnswer,
} from '../ai-sdk/stream-attempt.ts';
import {
  createWatchedFetch,
  type WatchedAttempt,
  type WatchedFetch,
} from '../ai-sdk/watched-fetch.ts';
import { doubtsAboutTerms } from '../evidence/evidence.ts';
import { withMore } from '../evidence/merge.ts';
import {
  type FailedParts,
  failedAnswer,
  failedExchange,
  notEncoded,
  unexpectedFailure,
} from '../failures/failed-attempt.ts';
import { createModelPort } from '../failures/model-port.ts';
import { createAwaitableFlow } from '../http/flow.ts';
import type { SendResponse } from '../http/transport.ts';
import { requestIdOf } from '../http/transport.ts';
import { withoutBlankTexts } from '../model/blank-texts.ts';
import type { ModelRequest } from '../model/model-request.ts';
import type {
  AttemptOptions,
  AttemptOutcome,
  AttemptStream,
  Platform,
  PlatformContext,
} from '../model/port.ts';
import { isErrorBody } from '../redaction/error-body.ts';
import { createRedact, type Redact } from '../redaction/redact.ts';
import { createModelCache } from '../wires/model-cache.ts';
import { Follower } from '../wires/stream/follower.ts';

/**
 * Any platform of an AI SDK package, over the gateway's own transport. Has no projects. Returns the
 * reason for a failure.
 */
export function createAiSdk(
  config: PlatformConfig,
  context: PlatformContext,
  { folders = [] }: { readonly folders?: readonly string[] } = {},
): Platform | string {
  const { name, kind, package: packageName = '', options = {}, baseUrl } = config;
  const loaded = loadPackage(packageName, folders);
  if ('problem' in loaded) return loaded.problem;
  const watched = createWatchedFetch(context);
  const opened = openProvider(
    { name: packageName, ...loaded },
    {
      ...options,
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
      fetch: watched.fetch,
    },
  );
  if ('problem' in opened) return opened.problem;
  const parts = {
    provider: opened.provider,
    watched,
    context,
    redact: createRedact([...textsIn(options), ...(context.secrets ?? [])]),
  };
  const models = createModelCache((upstreamModel: string) =>
    createModelPort((request, given) => attempt(parts, upstreamModel, request, given), {
      streams: true,
      wire: undefined,
      carryNames: ['reasoning_parts', 'extra_content'],
    }),
  );
  return {
    name,
    kind,
    needsProject: false,
    projects: undefined,
    model: (row) => models(row.upstreamModel),
    close: watched.close,
  };
}

/** Treats all texts of the options as secrets: only the package can distinguish them. */
export function textsIn(options: unknown): readonly string[] {
  if (typeof options === 'string') return [options];
  if (typeof options !== 'object' || options === null) return [];
  return Object.values(options).flatMap(textsIn);
}

interface Parts {
  readonly provider: Provider;
  readonly watched: WatchedFetch;
  readonly context: PlatformContext;
  readonly redact: Redact;
}

async function attempt(
  parts: Parts,
  upstreamModel: string,
  request: ModelRequest,
  options: AttemptOptions,
): Promise<AttemptOutcome> {
  const { signal, app, stream, requestIdHolder } = options;
  const { maxTokens } = request;
  if (stream !== undefined) return attemptStream(parts, upstreamModel, request, options, stream);
  const seen: WatchedAttempt = {
    ...{ signal, app, requestIdHolder, maxTokens },
    ...{ response: undefined, failure: undefined },
  };
  try {
    const result = await parts.watched.watch(seen, async () =>
      libraryModel(parts.provider, upstreamModel).doGenerate({
        ...optionsOf(request),
        headers: {},
        abortSignal: signal,
      }),
    );
    return answeredOutcome(result, seen.response);
  } catch (error) {
    return failedOutcome(error, seen, { ...parts, request, options, readUsage: readNothing });
  }
}

async function attemptStream(
  parts: Parts,
  upstreamModel: string,
  request: ModelRequest,
  options: AttemptOptions,
  stream: AttemptStream,
): Promise<AttemptOutcome> {
  const [follower, flow, own] = [
    new Follower(stream),
    createAwaitableFlow(),
    new AbortController(),
  ];
  const seen: WatchedAttempt = {
    ...{ app: options.app, requestIdHolder: options.requestIdHolder, maxTokens: request.maxTokens },
    signal: AbortSignal.any([options.signal, own.signal]),
    streamed: { follower, flow },
    ...{ response: undefined, failure: undefined },
  };
  const failedParts = { ...parts, request, options, readUsage: readNothing };
  const broken = (read?: StreamedContent) => {
    const { streamHead: head, failure } = seen;
    const lastEvent = seen.stream?.lastEvent;
    return head && brokenAttempt({ head, follower, read, failure, lastEvent }, failedParts);
  };
  options.signal.addEventListener('abort', flow.resume);
  try {
    const model = libraryModel(parts.provider, upstreamModel);
    const opened = await parts.watched.watch(seen, async () =>
      model.doStream({ ...optionsOf(request), headers: {}, abortSignal: seen.signal }),
    );
    const read = await readParts(opened.stream, follower, { flow, signal: options.signal });
    const isDone = seen.stream?.isDone === true;
    const answer = streamedAnswer(read, seen.streamHead ?? seen.response, isDone);
    if (answer === undefined) return broken(read) ?? failedOutcome(undefined, seen, failedParts);
    follower.emitCalls(answer);
    return answer;
  } catch (error) {
    return broken() ?? failedOutcome(error, seen, failedParts);
  } finally {
    options.signal.removeEventListener('abort', flow.resume);
    // A library may be finished with its stream before the stream has ended.
    own.abort();
  }
}

function optionsOf(request: ModelRequest): LanguageModelV4CallOptions {
  const messages = withoutBlankTexts(request.messages);
  if (messages.length > 0) return callOptionsOf({ ...request, messages }, reasoningPartsOf);
  const functionality = 'a conversation without text or a file';
  throw new UnsupportedFunctionalityError({ functionality });
}

function libraryModel(provider: Provider, upstreamModel: string): LanguageModelV4 {
  const model = provider.languageModel(upstreamModel);
  if (isLanguageModel(model)) return model;
  throw new UnsupportedFunctionalityError({ functionality: `the model ${upstreamModel}` });
}

/** Uses the library's counts, because only the library knows the wire format. */
function answeredOutcome(
  result: LanguageModelV4GenerateResult,
  sent?: SendResponse,
): AttemptOutcome {
  const { finishReason, response } = result;
  const body = response?.body;
  const headers = sent?.headers ?? response?.headers ?? {};
  return {
    kind: 'answered',
    content: contentOf(result),
    carried: carriedIn(result),
    finish: finishOf(finishReason),
    finishRaw: finishReason.raw,
    usage: withMore(readLibraryUsage(result.usage), isRecord(body) ? doubtsAboutTerms(body) : []),
    requestId: requestIdOf(headers, response?.body),
  };
}

/**
 * Classifies the failure by the gateway's own exchange: libraries invent statuses, and quote
 * prompts and responses in messages.
 */
function failedOutcome(error: unknown, seen: WatchedAttempt, parts: FailedParts): AttemptOutcome {
  const { response, failure } = seen;
  if (failure !== undefined) return failedExchange(failure, parts);
  if (response !== undefined) return failedAnswer(response, wrongWith(response), parts);
  if (LoadAPIKeyError.isInstance(error) || LoadSettingError.isInstance(error)) {
    const kind = { kind: 'no-credentials', wasSent: false, causeCode: error.name } as const;
    const message = 'the package lacks a key or a setting; add it to the options';
    return failedExchange({ ...kind, message, answer: undefined }, parts);
  }
  if (UnsupportedFunctionalityError.isInstance(error)) {
    return notEncoded(error.message, parts.redact);
  }
  return unexpectedFailure(error);
}

/** Undefined for a rejection, even with 200. */
function wrongWith({ status, body }: SendResponse): string | undefined {
  if (status < 200 || status >= 300 || isErrorBody(body)) return undefined;
  const isJson = parseJson(body.toString()) !== undefined;
  return isJson ? 'the response has an unexpected shape' : 'the response is not JSON';
}

function readNothing() {
  return readLibraryUsage(undefined);
}
