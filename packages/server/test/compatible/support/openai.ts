import { expect } from 'vitest';
import { type Exchange, send } from '../../support/exchange.ts';
import { defaultYaml, type Stack } from '../../support/stack.ts';

/** The default apps, with OpenAI's API enabled. */
export const openAiYaml = `${defaultYaml}ingress: { openai: true }\n`;

/** The path of chat completions. */
export const chatPath = '/openai/v1/chat/completions';

/** The smallest request for a chat completion. */
export function completionOf(model = 'sim-echo', more: object = {}) {
  return { model, messages: [{ role: 'user', content: 'Hello, gateway!' }], ...more };
}

export function complete(
  stack: Stack,
  body: unknown,
  { app, headers }: Pick<Asked, 'app' | 'headers'> = {},
): Promise<Exchange> {
  return ask(stack, chatPath, {
    ...(app === undefined ? {} : { app }),
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

type Asked = Omit<RequestInit, 'headers'> & {
  readonly app?: string;
  readonly headers?: Record<string, string>;
};

/** Sends a request as OpenAI's clients do: with the app's key as a bearer token. */
export async function ask(
  stack: Stack,
  path: string,
  { app = 'search', ...init }: Asked = {},
): Promise<Exchange> {
  const authorization = `Bearer ${await stack.key(app)}`;
  return send(stack, path, { ...init, headers: { authorization, ...init.headers } });
}

/** An error in OpenAI's words, exact except for its message. */
export interface OpenAiError {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  /** None by default. */
  readonly param?: string;
  /** Our error name, as in the header. */
  readonly name: string;
  readonly says?: readonly string[];
  /** True if a client may retry. */
  readonly mayRetry?: boolean;
  readonly retryAfter?: string;
}

/** Expects a rejection in OpenAI's body, with the headers that every rejection has. */
export function expectOpenAiError(met: Exchange, wanted: OpenAiError) {
  const { type, code, param = null, says = [], mayRetry = false } = wanted;
  expect(met.body, met.text).toEqual({
    error: { message: expect.any(String), type, param, code },
  });
  for (const words of says) expect(met.text).toContain(words);
  expect(met.status).toBe(wanted.status);
  expect(met.headers.get('x-error-code')).toBe(wanted.name);
  expect(met.headers.get('x-should-retry')).toBe(mayRetry ? null : 'false');
  expect(met.headers.get('retry-after')).toBe(wanted.retryAfter ?? null);
  expect(met.headers.get('x-request-id')).toMatch(/^req_/);
}
