import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that the server received. */
export interface OpenAiRequest {
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

/** The server's response in place of a completion. */
export type Reply =
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
  /** The connection dies: before the first byte, or within the body. */
  | { readonly dies: 'at once' | 'within' };

/**
 * A server that follows OpenAI's published wire format, and does not belong to this repository's
 * simulator.
 */
export interface OpenAiServer {
  readonly baseUrl: string;
  readonly requests: readonly OpenAiRequest[];
  /** Sets the next responses, in order; then the server completes again. */
  next(...replies: readonly Reply[]): void;
  close(): Promise<void>;
}

/** The credential that the server accepts. */
export const openAiKey = 'sk-test-of-the-gateway';

/** An error as in OpenAI's API reference. */
export function openAiError(
  status: number,
  error: { readonly message: string; readonly type: string; readonly code: string | null },
  headers: Record<string, string> = {},
): Reply {
  return { status, body: JSON.stringify({ error: { ...error, param: null } }), headers };
}

/** Starts on a free port. */
export async function startOpenAiServer(): Promise<OpenAiServer> {
  const requests: OpenAiRequest[] = [];
  let replies: readonly Reply[] = [];
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${portOf(server.address())}/v1`,
    requests,
    next(...coming) {
      replies = coming;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse) {
    const text = await textOf(incoming);
    const refusal = refusalOf(incoming);
    if (refusal !== undefined) return write(outgoing, refusal);
    const body: OpenAiRequest['body'] = JSON.parse(text);
    requests.push({ headers: incoming.headers, body });
    const [reply, ...rest] = replies;
    replies = rest;
    write(outgoing, reply ?? completionOf(body, requests.length));
  }
}

function refusalOf({ method, url, headers }: IncomingMessage): Reply | undefined {
  if (method !== 'POST' || url !== '/v1/chat/completions') {
    const message = `Invalid URL (${method} ${url})`;
    return openAiError(404, { message, type: 'invalid_request_error', code: null });
  }
  if (headers.authorization === `Bearer ${openAiKey}`) return undefined;
  const message = `Incorrect API key provided: ${headers.authorization}.`;
  return openAiError(401, { message, type: 'invalid_request_error', code: 'invalid_api_key' });
}

/** Source: OpenAI's API reference, "The chat completion object". */
function completionOf(body: OpenAiRequest['body'], number: number): Reply {
  const message = { role: 'assistant', content: 'Hi there.', refusal: null, annotations: [] };
  return {
    status: 200,
    headers: { 'x-request-id': `req_openai_${number}`, 'openai-processing-ms': '12' },
    body: JSON.stringify({
      ...{ id: `chatcmpl-${number}`, object: 'chat.completion', created: 1_741_569_952 },
      model: `${String(body.model)}-2026-01-01`,
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
      usage: {
        ...{ prompt_tokens: 20, completion_tokens: 10, total_tokens: 30 },
        prompt_tokens_details: { cached_tokens: 8, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 6, audio_tokens: 0 },
      },
      service_tier: 'default',
      system_fingerprint: 'fp_1',
    }),
  };
}

function write(outgoing: ServerResponse, reply: Reply) {
  if ('dies' in reply) {
    if (reply.dies === 'within') {
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      outgoing.write('{"id":"chatcmpl-', () => outgoing.destroy());
      return;
    }
    outgoing.destroy();
    return;
  }
  outgoing.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
  outgoing.end(reply.body);
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** The port of a server that listens on an address of the network. */
export function portOf(address: string | AddressInfo | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
