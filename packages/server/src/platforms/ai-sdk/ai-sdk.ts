import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4GenerateResult,
  LoadAPIKeyError,
  LoadSettingError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import type { PlatformConfig } from '../../domain/platform.ts';
import { fieldOf, parseJson } from '../json.ts';
import { createModelCache } from '../model-cache.ts';
import type { CallOptions, Platform, PlatformContext, PlatformModel } from '../port.ts';
import { createRedact, type Redact } from '../redact.ts';
import { type SendResponse, TransportFailure } from '../transport.ts';
import { loadPackage } from './load-package.ts';
import { isLanguageModel, openProvider, type Provider } from './open-provider.ts';
import { readLibraryUsage } from './read-library-usage.ts';
import { createWatchedFetch, type Watched, type WatchedFetch } from './watched-fetch.ts';

/**
 * Any platform that a package of the AI SDK speaks to, over our own transport. It has no projects.
 * Gives the platform, or why there is none.
 */
export function createAiSdk(
  config: PlatformConfig,
  folders: readonly string[],
  context: PlatformContext = {},
): Platform | string {
  const { name, kind, package: packageName = '', options = {}, baseUrl } = config;
  const loaded = loadPackage(packageName, folders);
  if ('problem' in loaded) return loaded.problem;
  const watched = createWatchedFetch(context);
  const opened = openProvider(packageName, loaded.exports, {
    ...options,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    fetch: watched.fetch,
  });
  if ('problem' in opened) return opened.problem;
  const parts = {
    name,
    provider: opened.provider,
    watched,
    redact: createRedact([...textsIn(options), ...(context.secrets ?? [])]),
  };
  const models = createModelCache((upstreamModel: string) => modelOf(parts, upstreamModel));
  return {
    name,
    kind,
    needsProject: false,
    projects: undefined,
    model: (row) => models(row.upstreamModel),
    close: watched.close,
  };
}

/** Every text of the options: which of them are credentials, only the package knows. */
export function textsIn(options: unknown): readonly string[] {
  if (typeof options === 'string') return [options];
  if (typeof options !== 'object' || options === null) return [];
  return Object.values(options).flatMap(textsIn);
}

interface Parts {
  readonly name: string;
  readonly provider: Provider;
  readonly watched: WatchedFetch;
  readonly redact: Redact;
}

function modelOf(parts: Parts, upstreamModel: string): PlatformModel {
  return {
    languageModel: {
      specificationVersion: 'v4',
      provider: parts.name,
      modelId: upstreamModel,
      supportedUrls: {},
      doGenerate: (options) => generate(parts, upstreamModel, options),
      doStream: () =>
        Promise.reject(new UnsupportedFunctionalityError({ functionality: 'streaming' })),
    },
    needsProject: false,
    projectHeaders: () => ({}),
    readUsage: readLibraryUsage,
    redact: parts.redact,
  };
}

async function generate(
  { provider, watched }: Parts,
  upstreamModel: string,
  { app, onHead, ...options }: CallOptions,
): Promise<LanguageModelV4GenerateResult> {
  const signal = options.abortSignal ?? new AbortController().signal;
  const maxTokens = options.maxOutputTokens;
  const seen: Watched = { signal, app, onHead, maxTokens, response: undefined, failure: undefined };
  try {
    const result = await watched.watch(seen, async () =>
      libraryModel(provider, upstreamModel).doGenerate({ ...options, abortSignal: signal }),
    );
    return { ...result, response: responseOf(result, seen.response) };
  } catch (error) {
    throw failureOf(error, seen);
  }
}

function libraryModel(provider: Provider, upstreamModel: string): LanguageModelV4 {
  const model = provider.languageModel(upstreamModel);
  if (isLanguageModel(model)) return model;
  throw new UnsupportedFunctionalityError({ functionality: `the model ${upstreamModel}` });
}

/** Counts as the library gives them, since only it knows the wire. */
function responseOf({ usage, response }: LanguageModelV4GenerateResult, sent?: SendResponse) {
  const headers = { ...(sent?.headers ?? response?.headers) };
  return { headers, body: { request_id: fieldOf(response?.body, 'request_id'), usage } };
}

/**
 * What an attempt that failed came to is told by our own exchange: libraries give statuses that
 * nobody sent, and quote prompts and answers in their messages.
 */
function failureOf(error: unknown, { response, failure }: Watched): unknown {
  if (failure !== undefined) return failure;
  if (response !== undefined) return callError(response);
  if (LoadAPIKeyError.isInstance(error) || LoadSettingError.isInstance(error)) {
    const parts = { kind: 'no-credentials', wasSent: false, causeCode: error.name } as const;
    const message = 'the package lacks a key or a setting; add it to the options';
    return new TransportFailure({ ...parts, message, answer: undefined });
  }
  return error;
}

function callError(response: SendResponse): APICallError {
  const responseBody = response.body.toString();
  const isJson = parseJson(responseBody) !== undefined;
  return new APICallError({
    message: isJson ? 'the answer is of another shape' : 'the answer is no JSON',
    url: '',
    requestBodyValues: undefined,
    statusCode: response.status,
    responseHeaders: { ...response.headers },
    responseBody,
  });
}
