import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { argv } from 'node:process';
import { type Dispatcher, Pool } from 'undici';
import { serveUntilParentEnds } from './processes/serve.ts';

// The floor: the least that a gateway in this language can do. It reads the request, parses it,
// writes the platform's request, parses the platform's answer and writes its own. No key, no limit,
// no validation, no money, no log, no deadline.

interface ChatRequest {
  readonly model: string;
  readonly maxTokens: number;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

interface Completion {
  readonly id: string;
  readonly choices: readonly {
    readonly message: { readonly content: string };
    readonly finish_reason: string;
  }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

const upstreamHeaders = {
  'content-type': 'application/json',
  accept: 'application/json',
  authorization: 'Bearer none',
};

const [, , upstreamUrl] = argv;
if (upstreamUrl === undefined) throw new Error('usage: node floor.ts UPSTREAM_URL');

// The same bounds as the gateway's own pool, so that both open the same number of connections.
const pool = new Pool(upstreamUrl, { connections: 10_000, pipelining: 1, allowH2: false });

serveUntilParentEnds(createServer({ keepAliveTimeout: 75_000 }, receive));

function receive(incoming: IncomingMessage, outgoing: ServerResponse) {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => forward(textOf(chunks), outgoing));
}

function forward(text: string, outgoing: ServerResponse) {
  const request: ChatRequest = JSON.parse(text);
  const body = JSON.stringify({
    model: request.model,
    max_tokens: request.maxTokens,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
  });
  const call = { path: '/v1/chat/completions', method: 'POST', headers: upstreamHeaders } as const;
  pool.dispatch({ ...call, body }, handlerFor(outgoing));
}

/** The pool's interface below `request`: no stream is made for an answer that is read whole. */
function handlerFor(outgoing: ServerResponse): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  return {
    onRequestStart() {},
    onResponseStart() {},
    onResponseData: (_, chunk) => void chunks.push(chunk),
    onResponseEnd: () => respond(textOf(chunks), outgoing),
    onResponseError: (_, error) => void outgoing.writeHead(502).end(error.message),
  };
}

function respond(text: string, outgoing: ServerResponse) {
  const { id, choices, usage }: Completion = JSON.parse(text);
  const body = JSON.stringify({
    id,
    text: choices[0]?.message.content,
    finishReason: choices[0]?.finish_reason,
    usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens },
  });
  const length = Buffer.byteLength(body);
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
  outgoing.end(body);
}

function textOf(chunks: readonly Buffer[]): string {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined
    ? only.toString()
    : Buffer.concat(chunks).toString();
}
