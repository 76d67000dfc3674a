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

/** A fetch that asks what it is asked, with the rules of the client's own calls. */
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

/** The call of the client's that stands for it; what it sends is the sender's matter. */
function callOf({ method, path, signal }: OpenAiRequest, idempotencyKey: string | undefined) {
  const call = { owner: 'openai', path, options: { signal } };
  if (method === 'GET' || method === 'HEAD') return call;
  return { ...call, body: {}, options: { signal, idempotencyKey } };
}

/** Sends what was asked, whatever the client would send, and keeps the last answer that refuses. */
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

/** Who asks shows the client's key, and no other, and what the client calls itself. */
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

/** The keys of failed calls whose answer may still come, by what they asked. */
interface OpenKeys {
  /** The key of such a call, for one that its client makes again; it is given to one alone. */
  claim(request: OpenAiRequest): string | undefined;
  /** Keeps the key of a call that failed. */
  store(request: OpenAiRequest, key: string): void;
}

const keysMax = 1_000;

/** An empty list; of more than 1,000 keys the oldest goes. */
export function createOpenKeys(): OpenKeys {
  const open: { readonly digest: string; readonly key: string }[] = [];
  return {
    claim(request) {
      // The clients that say so count their own retries.
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

/** What makes two requests one for the gateway, which refuses another under the same key. */
function digestOf({ method, path, headers, body = '' }: OpenAiRequest): string {
  const head = JSON.stringify([method, path, headers.get('x-user-id')]);
  return createHash('sha256').update(head).update(body).digest('base64');
}

/** What a client of OpenAI's API asks its fetch. */
interface OpenAiRequest {
  readonly method: string;
  /** Below the base URL, with its query. */
  readonly path: string;
  readonly headers: Headers;
  /** As it came, byte for byte. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  readonly signal: AbortSignal | undefined;
  /** All that it was given beside the URL, such as a dispatcher. */
  readonly init: RequestInit;
}

/** Reads what fetch was given; throws a TypeError for a URL outside the base, which has no key. */
async function readRequest(
  baseUrl: string,
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<OpenAiRequest> {
  // The signal is listened to once for all attempts, and not by this copy.
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
