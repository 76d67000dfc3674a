import { type Client, createClient, LlmError } from '@model-gateway/sdk';
import type { Stack } from './stack.ts';

/** One request and its response: as the client saw it, and as it was sent. */
export interface Exchange {
  readonly status: number;
  readonly headers: Headers;
  /** The body, byte for byte. */
  readonly text: string;
  readonly body: unknown;
  /** The client's exception; undefined when it returned, or when no client was used. */
  readonly error: LlmError | undefined;
}

/** The smallest chat of a model. */
export function chatOf(model: string, more: object = {}) {
  const messages = [{ role: 'user', content: 'Hello, gateway!' }] as const;
  return { model, maxTokens: 100, messages, ...more };
}

/** The part of a chat with another prompt. */
export function prompted(content: string) {
  return { messages: [{ role: 'user', content }] } as const;
}

/** Lets an app's client make one call, in as much virtual time as it needs. */
export async function meet(
  stack: Stack,
  app: string,
  call: (client: Client) => Promise<unknown>,
): Promise<Exchange> {
  const apiKey = await stack.key(app);
  return meetWithKey(stack, apiKey, call);
}

/** Like {@link meet}, with a key of any name. */
export async function meetWithKey(
  stack: Stack,
  apiKey: string,
  call: (client: Client) => Promise<unknown>,
): Promise<Exchange> {
  let last: Promise<Omit<Exchange, 'error'>> | undefined;
  const fetch: Stack['fetch'] = async (input, init) => {
    const response = await stack.fetch(input, init);
    last = received(response.clone());
    return response;
  };
  const client = createClient({
    ...{ baseUrl: 'http://gateway.test/v1', apiKey, fetch },
    maxAttempts: 1,
  });
  const error = await stack.clock.run(call(client).then(() => undefined, asLlmError));
  if (last === undefined) throw new Error('the client was never answered', { cause: error });
  return { ...(await last), error };
}

/** One chat of an app, through its client. */
export function meetChat(
  stack: Stack,
  app: string,
  model: string,
  more: object = {},
): Promise<Exchange> {
  return meet(stack, app, (client) => client.chat(chatOf(model, more)));
}

/** A request that no client would make: any method, path, headers and body. */
export async function send(
  stack: Stack,
  path: string,
  request: RequestInit & { readonly headers?: Record<string, string> } = {},
): Promise<Exchange> {
  const response = await stack.clock.run(stack.fetch(`http://gateway.test${path}`, request));
  return { ...(await stack.clock.run(received(response))), error: undefined };
}

/** A POST of an app with an unchanged body: text, bytes, or a value that is written as JSON. */
export async function sendBody(
  stack: Stack,
  app: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Exchange> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  return send(stack, '/v1/chat', {
    method: 'POST',
    headers: { 'x-api-key': await stack.key(app), 'content-type': 'application/json', ...headers },
    body: isRaw ? body : JSON.stringify(body),
  });
}

async function received(response: Response): Promise<Omit<Exchange, 'error'>> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: a check of the body will report it.
    return undefined;
  }
}

function asLlmError(error: unknown): LlmError {
  if (error instanceof LlmError) return error;
  throw error;
}
