import { expect } from 'vitest';
import { errorWords, type OurError } from './error-words.ts';
import { amountsOn, type PaidRoute, routes } from './paid-routes.ts';

/** A route of either vendor's API, and its smallest request. */
export interface ErrorRoute {
  readonly dialect: 'openai' | 'anthropic';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly canStream: boolean;
  /** False for a route that responds without a model. */
  readonly isCall: boolean;
  /** The field of the maximum number of tokens. */
  readonly limit: string;
  body(prompt: string, isStream: boolean): object;
  /** The maximum cost of a call with this body, in pico-USD. */
  most(text: string): bigint;
}

function callOf(dialect: ErrorRoute['dialect'], route: PaidRoute, limit: string): ErrorRoute {
  const { path, canStream } = route;
  return {
    ...{ dialect, method: 'POST', path, canStream, isCall: true, limit },
    body: (prompt, isStream) => ({ ...route.body(prompt), ...(isStream ? { stream: true } : {}) }),
    most: (text) => amountsOn(route, { prompt: '', text, maxTokens: 100 }).most,
  };
}

const own = {
  ...{ canStream: false, isCall: false, limit: '' },
  ...{ body: () => ({}), most: () => 0n },
} as const;

/** Every route once. */
export const errorRoutes: Readonly<Record<string, ErrorRoute>> = {
  'chat completions': callOf('openai', routes['chat completions'], 'max_completion_tokens'),
  responses: callOf('openai', routes.responses, 'max_output_tokens'),
  embeddings: callOf('openai', routes.embeddings, ''),
  'the models of OpenAI': {
    ...{ ...own, dialect: 'openai', method: 'GET', path: '/openai/v1/models' },
  },
  'a model of OpenAI': {
    ...{ ...own, dialect: 'openai', method: 'GET', path: '/openai/v1/models/told-chat' },
  },
  messages: callOf('anthropic', routes.messages, 'max_tokens'),
  count_tokens: {
    ...{ ...own, dialect: 'anthropic', method: 'POST' },
    path: '/anthropic/v1/messages/count_tokens',
  },
  'the models of Anthropic': {
    ...{ ...own, dialect: 'anthropic', method: 'GET', path: '/anthropic/v1/models' },
  },
};

export interface ToldError {
  readonly status: number;
  header(name: string): string | null;
  readonly text: string;
}

/** The fields of an error other than its message. */
export interface ErrorHeaders {
  readonly code: OurError;
  /** The field that OpenAI's body names. Anthropic's names none. */
  readonly param?: string | ((route: ErrorRoute) => string) | undefined;
  /** OpenAI's code, if it differs from the table's. */
  readonly openAiCode?: string | undefined;
  /** Anthropic's status and type, if they differ from the table's. */
  readonly anthropic?: readonly [number, string] | undefined;
  /** The value of `x-should-retry`. */
  readonly retry: 'false' | null;
  readonly retryAfter?: string | RegExp | undefined;
}

/** Expects exactly this error, except for its message. */
export function expectToldError(
  met: ToldError,
  route: ErrorRoute,
  { code, param, openAiCode, anthropic, retry, retryAfter }: ErrorHeaders,
) {
  const words = errorWords[code];
  const requestId = met.header('x-request-id');
  expect(requestId).toMatch(/^req_/);
  expect(met.header('content-type')).toBe('application/json');
  const message = expect.stringMatching(/^\w.{10,}/);
  const body = JSON.parse(met.text);
  if (route.dialect === 'openai') {
    const [status, type, known] = words.openai;
    const field = typeof param === 'function' ? param(route) : param;
    const error = { message, type, param: field ?? null, code: openAiCode ?? known };
    expect([met.status, body]).toEqual([status, { error }]);
    expect(met.header('request-id')).toBeNull();
  } else {
    const [status, type] = anthropic ?? words.anthropic;
    const error = { type, message };
    expect([met.status, body]).toEqual([status, { type: 'error', error, request_id: requestId }]);
    expect(met.header('request-id')).toBe(requestId);
  }
  expect(met.header('x-error-code')).toBe(code);
  expect(met.header('x-should-retry')).toBe(retry);
  const after = met.header('retry-after');
  if (retryAfter instanceof RegExp) expect(after).toMatch(retryAfter);
  else expect(after).toBe(retryAfter ?? null);
}
