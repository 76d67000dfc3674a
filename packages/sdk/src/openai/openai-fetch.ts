import { createHash } from 'node:crypto';
import {
  attemptAndNote,
  beginStreamRound,
  type CallParts,
  tryUntilAnswered,
} from '../call/call.ts';
import { LlmError } from '../call/llm-error.ts';
import { asGatewayAnswer, type Refusal, readRefusal, refusedAnswer } from './refusal.ts';
import { takeResponse } from './take-response.ts';

type Fetch = typeof globalThis.fetch;

/** A fetch with the rules of the client's own calls. */
export function createOpenAiFetch(parts: CallParts): Fetch {
  const keys = createOpenKeys();

  async function send(request: OpenAiRequest): Promise<Response> {
    const sender = createSender(parts, request);
    const settings = { ...parts.settings, fetch: sender.fetch };
    const given = request.headers.get('idempotency-key') ?? keys.claim(request);
    const round = beginStreamRound({ ...parts, settings }, callOf(request, given));
    try {
      const attempt = () => attemptAndNote(round, takeResponse);
      return (await tryUntilAnswered(round, attempt)).answer;
    } catch (error) {
      round.deadline.close();
      if (!LlmError.is(error)) throw error;
      const { idempotencyKey } = round;
      const mayBeAnswered = error.status === 0 || error.status >= 500;
      if (mayBeAnswered && idempotencyKey !== undefined) keys.store(request, idempotencyKey);
      if (error.code === 'ABORTED') throw request.signal?.reason ?? error;
      return refusedAnswer(error, sender.refusal());
    }
  }

  return async (input, init) => send(await readRequest(parts.settings.baseUrl, input, init));
}

/** The client's call in its place; the sender decides what it sends. */
function callOf({ method, path, signal }: OpenAiRequest, idempotencyKey: string | undefined) {
  const call = { owner: 'openai', path, options: { signal } };
  if (method === 'GET' || method === 'HEAD') return call;
  return { ...call, body: {}, options: { signal, idempotencyKey } };
}

/** Sends the given request, whatever the client would send, and stores the last rejection. */
function createSender({ settings }: CallParts, request: OpenAiRequest) {
  const { method, body, init: given } = request;
  let refusal: Refusal | undefined;
  const fetch: Fetch = async (url, init = {}) => {
    refusal = undefined;
    // Looked up at each attempt, because tracing libraries replace the platform's fetch.
    const send = settings.fetch ?? globalThis.fetch;
    const headers = headersOf(request.headers, new Headers(init.headers));
    const response = await send(url, { ...given, ...init, method, headers, body: body ?? null });
    if (response.status >= 200 && response.status < 300) return response;
    refusal = await readRefusal(response);
    return asGatewayAnswer(refusal);
  };
  return { fetch, refusal: () => refusal };
}

/** The request carries only the client's key, and the client's user agent. */
const ours = ['x-api-key', 'idempotency-key'];
const dropped = ['authorization', 'host', 'connection', 'content-length', 'transfer-encoding'];

function headersOf(received: Headers, own: Headers): Record<string, string> {
  const headers = { ...Object.fromEntries(own), ...Object.fromEntries(received) };
  headers.accept = received.get('accept') ?? '*/*';
  headers['user-agent'] = `${received.get('user-agent') ?? ''} ${own.get('user-agent')}`.trim();
  for (const name of [...ours, ...dropped]) delete headers[name];
  for (const name of ours) {
    const value = own.get(name);
    if (value !== null) headers[name] = value;
  }
  return headers;
}

/** The keys of failed calls whose response might still come, by request. */
interface OpenKeys {
  /** The key of a failed call, for a retry by its client; only one caller gets it. */
  claim(request: OpenAiRequest): string | undefined;
  /** Stores the key of a failed call. */
  store(request: OpenAiRequest, key: string): void;
}

const keysMax = 1_000;

/** An empty list; above 1,000 keys the oldest is removed. */
export function createOpenKeys(): OpenKeys {
  const open: { readonly digest: string; readonly key: string }[] = [];
  return {
    claim(request) {
      // Clients with this header count their own retries.
      if (!/^[1-9]/.test(request.headers.get('x-stainless-retry-count') ?? '')) return undefined;
      const digest = digestOf(request);
      const index = open.findIndex((each) => each.digest === digest);
      return index < 0 ? undefined : open.splice(index, 1)[0]?.key;
    },
    store(request, key) {
      open.push({ digest: digestOf(request), key });
      if (open.length > keysMax) open.shift();
    },
  };
}

/**
 * The parts that make two requests equal for the gateway, which rejects another request under the
 * same key.
 */
function digestOf({ method, path, headers, body = '' }: OpenAiRequest): string {
  const head = JSON.stringify([method, path, headers.get('x-user-id')]);
  return createHash('sha256').update(head).update(body).digest('base64');
}

/** A request of a client of OpenAI's API. */
interface OpenAiRequest {
  readonly method: string;
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly headers: Headers;
  /** As received, byte for byte. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal | undefined;
  /** Its other options, such as a dispatcher. */
  readonly init: RequestInit;
}

/**
 * Reads the arguments of fetch; throws a TypeError for a URL outside the base, which must not get
 * the key.
 */
async function readRequest(
  baseUrl: string,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<OpenAiRequest> {
  // One listener on the signal serves all attempts, not this copy.
  const request = new Request(input, { ...init, signal: null });
  const { origin, pathname, search } = new URL(request.url);
  const url = origin + pathname;
  if (!url.startsWith(`${baseUrl}/`)) {
    throw new TypeError(
      `openai: ${url} is outside ${baseUrl} and would receive the API key; give the client this ` +
        'baseURL',
    );
  }
  return {
    method: request.method,
    path: url.slice(baseUrl.length) + search,
    headers: request.headers,
    body: await readBytes(request, init),
    signal: init.signal ?? (input instanceof Request ? input.signal : undefined),
    init,
  };
}

async function readBytes(request: Request, { body }: RequestInit): Promise<OpenAiRequest['body']> {
  if (typeof body === 'string') return body;
  return request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
}
