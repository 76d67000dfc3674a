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

/** What `createClient` takes. Source: specification, section 4. */
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
   * The time for one whole call, retries and waits included, in milliseconds.
   * Default 120,000, and 330,000 for calls that stream; at most 2,147,483,647.
   */
  readonly timeoutMs?: number | undefined;
  /** Attempts in total, the first included. Default 3; 1 never retries. */
  readonly maxAttempts?: number | undefined;
  /** Used instead of the platform's `fetch`, which is looked up at each call. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** True: no warning for a `baseUrl` that is http on another machine. Default false. */
  readonly allowInsecure?: boolean | undefined;
  /** Headers of every call, such as tags: as a call's own, which win over them. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Told of each attempt, once it has ended. It is not waited for, and what it throws or rejects
   * with is passed over. The channel `@model-gateway/sdk:attempt` of `node:diagnostics_channel`
   * has the same events.
   */
  readonly onAttempt?: ((event: AttemptEvent) => unknown) | undefined;
}

/** An attempt that has ended, for logs, counters and traces. */
export interface AttemptEvent {
  /** The client's method, such as `chat`. */
  readonly method: string;
  /** The first of a call is 1. */
  readonly attempt: number;
  /** From its beginning to its end, of a stream to its first event, in milliseconds. */
  readonly durationMs: number;
  /** The gateway's id of the request, where it answered. */
  readonly gatewayRequestId: string | undefined;
  /** What it failed with, if it did; ABORTED and TIMEOUT for what your signal or the time ended. */
  readonly code: string | undefined;
}

/** A failed attempt that is about to be repeated. */
export interface RetryEvent {
  /** The attempt that failed; the first is 1. */
  readonly attempt: number;
  /** How long the client waits now, in milliseconds. */
  readonly waitMs: number;
  /** What the call would have failed with. */
  readonly error: LlmError;
}

/** What every call takes. */
export interface ReadOptions {
  /** Ends the call with the code `ABORTED`: in its attempt, its body or its back-off. */
  readonly signal?: AbortSignal | undefined;
  /** The time for this whole call, in milliseconds. Default: the client's. */
  readonly timeoutMs?: number | undefined;
  /** Attempts in total for this call, the first included. Default: the client's. */
  readonly maxAttempts?: number | undefined;
  /**
   * More headers, such as `traceparent`; those that the client sets itself are refused, but for
   * `user-agent`.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Called before each wait. A promise that it gives is waited for beside the wait, within the
   * call's time. What it throws or rejects with ends the call, and is thrown from it as it is.
   */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
}

/** What a call that costs money takes. */
export interface CallOptions extends ReadOptions {
  /**
   * 1–255 printable ASCII characters, sent with every attempt. Default: a new UUID per call. A
   * call made again with the same key and request is not paid twice. Choose none that can be
   * guessed: the service encrypts the stored answer with it.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The client's options, checked, with their defaults. */
export interface Settings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  /** The time of a call that streams. */
  readonly streamTimeoutMs: number;
  readonly maxAttempts: number;
  readonly fetch: typeof globalThis.fetch | undefined;
  /** What the client calls itself, and the headers of every call. */
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

/** Checks the options of `createClient`; throws a TypeError that names the cure. */
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

/** Checks the options of one call; throws a TypeError that names the cure. */
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

/** Hosts that were warned of: a program may make a client for each of its requests. */
const warned = new Set<string>();

/** This machine, and names that no network has: of tests, and of the fake (RFC 6761). */
const near = /^(localhost|.+\.(localhost|test|invalid)|127(\.\d+){3}|\[::1\])$/;

/** Warns once of a host that gets the key unencrypted; other runtimes than Node stay silent. */
function warnOfClearText(baseUrl: string): void {
  const { protocol, host, hostname } = new URL(baseUrl);
  if (protocol !== 'http:' || near.test(hostname) || warned.has(host)) return;
  warned.add(host);
  globalThis.process?.emitWarning?.(
    `createClient: ${host} gets the API key unencrypted; use https, or set allowInsecure: true`,
  );
}
