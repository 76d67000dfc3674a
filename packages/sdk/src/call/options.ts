import { checkFunction, checkNames } from '../lib/check-option.ts';
import {
  checkApiKey,
  checkBaseUrl,
  checkHeaders,
  checkIdempotencyKey,
  checkMaxAttempts,
  checkSignal,
  checkTimeoutMs,
} from '../lib/checks.ts';
import { limits, streamTimeoutMs } from '../lib/limits.ts';
import { userAgent } from '../lib/user-agent.ts';
import type { LlmError } from './llm-error.ts';

/** The options of `createClient`. Source: specification, section 4. */
export interface ClientOptions {
  /**
   * The API's base URL: with `/v1` at its end, without a trailing slash. Default: the environment
   * variable `MODEL_GATEWAY_URL`.
   */
  readonly baseUrl?: string | undefined;
  /**
   * The app's key, sent as `x-api-key`. Keep it on the server: its holder spends the budget.
   * Default: the environment variable `MODEL_GATEWAY_KEY`.
   */
  readonly apiKey?: string | undefined;
  /**
   * The time limit of one whole call, retries and waits included, in milliseconds. Default 120,000,
   * and 330,000 for calls that stream; at most 2,147,483,647.
   */
  readonly timeoutMs?: number | undefined;
  /** Attempts in total, the first included. Default 3; 1 never retries. */
  readonly maxAttempts?: number | undefined;
  /** Used instead of the platform's `fetch`, which is looked up at each call. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** True: no warning for a `baseUrl` that is http on another machine. Default false. */
  readonly allowInsecure?: boolean | undefined;
  /** Headers of every call, such as tags; headers of a single call override them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Called after each attempt. The call does not wait for it, and ignores its exceptions and
   * rejections. The channel `@model-gateway/sdk:attempt` of `node:diagnostics_channel` has the same
   * events.
   */
  readonly onAttempt?: ((event: AttemptEvent) => unknown) | undefined;
}

/** A finished attempt, for logs, counters and traces. */
export interface AttemptEvent {
  /** The client's method, such as `chat`. */
  readonly method: string;
  /** The first of a call is 1. */
  readonly attempt: number;
  /** From its beginning to its end, for a stream to its first event, in milliseconds. */
  readonly durationMs: number;
  /** The gateway's id of the request, if it responded. */
  readonly gatewayRequestId: string | undefined;
  /** The code of its failure; ABORTED and TIMEOUT if your signal or the time limit ended it. */
  readonly code: string | undefined;
}

/** A failed attempt that is about to be retried. */
export interface RetryEvent {
  /** The attempt that failed; the first is 1. */
  readonly attempt: number;
  /** How long the client waits now, in milliseconds. */
  readonly waitMs: number;
  /** The error of the call without the retry. */
  readonly error: LlmError;
}

/** The options of every call. */
export interface ReadOptions {
  /** Ends the call with the code `ABORTED`: in its attempt, its body or its back-off. */
  readonly signal?: AbortSignal | undefined;
  /** The time limit of this whole call, in milliseconds. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** Attempts in total for this call, the first included. Default: the client's. */
  readonly maxAttempts?: number | undefined;
  /**
   * More headers, such as `traceparent`; headers that the client sets itself are rejected, except
   * `user-agent`.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Called before each wait. Its promise is awaited in parallel with the wait, within the call's
   * time limit. An exception or rejection ends the call, which rejects with it unchanged.
   */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
}

/** The options of a call that costs money. */
export interface CallOptions extends ReadOptions {
  /**
   * 1–255 printable ASCII characters, sent with every attempt. Default: a new UUID per call. A
   * second call with the same key and request is not paid twice. Do not choose a guessable key: the
   * service encrypts the stored response with it.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The client's options, checked, with their defaults. */
export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  /** The time limit of a call that streams. */
  readonly streamTimeoutMs: number;
  readonly maxAttempts: number;
  readonly fetch: typeof globalThis.fetch | undefined;
  /** The client's user agent, and the headers of every call. */
  readonly headers: Readonly<Record<string, string>>;
  readonly onAttempt: ClientOptions['onAttempt'];
}

/** One call's options, checked, with the client's defaults. */
export interface CallSettings {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly onRetry: ((event: RetryEvent) => unknown) | undefined;
  readonly idempotencyKey: string | undefined;
}

const clientNames = [
  'baseUrl',
  'apiKey',
  'timeoutMs',
  'maxAttempts',
  'fetch',
  'allowInsecure',
  'headers',
  'onAttempt',
] as const;
const readNames = ['signal', 'timeoutMs', 'maxAttempts', 'headers', 'onRetry'] as const;
/** The names of the options of a call that costs money. */
export const callNames = [...readNames, 'idempotencyKey'] as const;

/** Checks the options of `createClient`; throws a TypeError that names the correction. */
export function checkClientOptions(options: ClientOptions): Settings {
  const owner = 'createClient';
  checkNames(owner, options, clientNames);
  const env: Readonly<Record<string, unknown>> = Object(globalThis.process?.env);
  const { timeoutMs, maxAttempts = limits.maxAttempts, fetch, headers = {}, onAttempt } = options;
  if (fetch === undefined && typeof globalThis.fetch !== 'function') {
    throw new TypeError(
      `${owner}: this Node.js has no fetch; use Node.js 18 or later, or pass fetch`,
    );
  }
  checkFunction(owner, 'fetch', fetch, '; omit it for the built-in one');
  checkFunction(owner, 'onAttempt', onAttempt, ' that takes one event');
  const baseUrl = checkBaseUrl(owner, options.baseUrl ?? env.MODEL_GATEWAY_URL);
  const apiKey = checkApiKey(owner, options.apiKey ?? env.MODEL_GATEWAY_KEY);
  if (options.allowInsecure !== true) warnOfClearText(baseUrl);
  const timeFor = (otherwise: number) =>
    checkTimeoutMs(owner, timeoutMs === undefined ? otherwise : timeoutMs);
  return {
    baseUrl,
    apiKey,
    timeoutMs: timeFor(limits.timeoutMs),
    streamTimeoutMs: timeFor(streamTimeoutMs),
    maxAttempts: checkMaxAttempts(owner, maxAttempts),
    fetch,
    headers: { 'user-agent': userAgent(), ...checkHeaders(owner, headers) },
    onAttempt,
  };
}

/** Checks the options of one call; throws a TypeError that names the correction. */
export function checkCallOptions(parts: {
  readonly owner: string;
  readonly options: CallOptions;
  /** False for a GET, which costs nothing and has no idempotency key. */
  readonly costsMoney: boolean;
  readonly settings: Settings;
}): CallSettings {
  const { owner, options, costsMoney, settings } = parts;
  checkNames(owner, options, costsMoney ? callNames : readNames);
  const { signal, onRetry, idempotencyKey, headers = {} } = options;
  const { timeoutMs = settings.timeoutMs, maxAttempts = settings.maxAttempts } = options;
  checkFunction(owner, 'onRetry', onRetry, ' that takes one event');
  return {
    signal: signal === undefined ? undefined : checkSignal(owner, signal),
    timeoutMs: checkTimeoutMs(owner, timeoutMs),
    maxAttempts: checkMaxAttempts(owner, maxAttempts),
    headers: checkHeaders(owner, headers),
    onRetry,
    idempotencyKey:
      idempotencyKey === undefined ? undefined : checkIdempotencyKey(owner, idempotencyKey),
  };
}

/** Hosts that a warning has named: a program might create a client for each request. */
const warned = new Set<string>();

/** This machine, and names without a network: for tests, and of the fake (RFC 6761). */
const near = /^(localhost|.+\.(localhost|test|invalid)|127(\.\d+){3}|\[::1\])$/;

/** Warns once about a host that gets the key unencrypted; only in Node. */
function warnOfClearText(baseUrl: string): void {
  const { protocol, host, hostname } = new URL(baseUrl);
  if (protocol !== 'http:' || near.test(hostname) || warned.has(host)) return;
  warned.add(host);
  globalThis.process?.emitWarning?.(
    `createClient: ${host} gets the API key unencrypted; use https, or set allowInsecure: true`,
  );
}
