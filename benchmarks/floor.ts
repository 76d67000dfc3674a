import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { argv } from 'node:process';
import { type Dispatcher, Pool } from 'undici';
import { serveUntilParentEnds } from './processes/serve.ts';

// The floor: the least work of a gateway in this language. It reads and parses the request and
// writes the platform's request. It parses the platform's response, or each event of it, and writes
// its own. No key, no limit, no validation, no money, no log, no deadline.

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

interface CompletionChunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
  readonly usage?: object;
}

interface EmbeddingsRequest {
  readonly model: string;
  readonly input: string;
}

interface EmbeddingsList {
  readonly data: readonly { readonly embedding: readonly number[] }[];
  readonly usage: { readonly prompt_tokens: number };
}

const upstreamHeaders = {
  'content-type': 'application/json',
  accept: 'application/json',
  authorization: 'Bearer none',
};

const call = { method: 'POST', headers: upstreamHeaders } as const;

const [, , upstreamUrl] = argv;
if (upstreamUrl === undefined) throw new Error('usage: node floor.ts UPSTREAM_URL');

// The same limits as the gateway's own pool, to open the same number of connections.
const pool = new Pool(upstreamUrl, { connections: 10_000, pipelining: 1, allowH2: false });

serveUntilParentEnds(createServer({ keepAliveTimeout: 75_000 }, receive));

function receive(incoming: IncomingMessage, outgoing: ServerResponse) {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => forward(incoming.url ?? '', textOf(chunks), outgoing));
}

function forward(path: string, text: string, outgoing: ServerResponse) {
  if (path === '/v1/embeddings') return embed(text, outgoing);
  const request: ChatRequest = JSON.parse(text);
  const isStream = path === '/v1/chat/stream';
  const completionRequest = {
    model: request.model,
    max_tokens: request.maxTokens,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
  };
  const streamed = { ...completionRequest, stream: true, stream_options: { include_usage: true } };
  const body = JSON.stringify(isStream ? streamed : completionRequest);
  const handler = isStream ? relayTo(outgoing) : handlerFor(respond, outgoing);
  pool.dispatch({ ...call, path: '/v1/chat/completions', body }, handler);
}

function embed(text: string, outgoing: ServerResponse) {
  const { model, input }: EmbeddingsRequest = JSON.parse(text);
  const body = JSON.stringify({ model, input });
  pool.dispatch({ ...call, path: '/v1/embeddings', body }, handlerFor(respondNumbers, outgoing));
}

/** The pool's interface below `request` creates no stream for a response that is read whole. */
function handlerFor(
  answer: (text: string, outgoing: ServerResponse) => void,
  outgoing: ServerResponse,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  return {
    onRequestStart() {},
    onResponseStart() {},
    onResponseData: (_, chunk) => void chunks.push(chunk),
    onResponseEnd: () => answer(textOf(chunks), outgoing),
    onResponseError: (_, error) => void outgoing.writeHead(502).end(error.message),
  };
}

/** Forwards events as they come: one write for each read. */
function relayTo(outgoing: ServerResponse): Dispatcher.DispatchHandler {
  let rest = '';
  return {
    onRequestStart() {},
    onResponseStart: () => void outgoing.writeHead(200, { 'content-type': 'text/event-stream' }),
    onResponseData(_, chunk) {
      const parts = (rest + chunk.toString()).split('\n\n');
      rest = parts.pop() ?? '';
      outgoing.write(parts.map(ownEvent).join(''));
    },
    onResponseEnd: () => void outgoing.end(),
    onResponseError: () => void outgoing.destroy(),
  };
}

function ownEvent(event: string): string {
  const data = event.slice('data: '.length);
  if (data === '[DONE]') return '';
  const { choices, usage }: CompletionChunk = JSON.parse(data);
  if (usage !== undefined) return `event: finish\ndata: ${JSON.stringify({ usage })}\n\n`;
  const text = choices[0]?.delta.content ?? '';
  return `event: delta\ndata: ${JSON.stringify({ text })}\n\n`;
}

function respond(text: string, outgoing: ServerResponse) {
  const { id, choices, usage }: Completion = JSON.parse(text);
  send(outgoing, {
    id,
    text: choices[0]?.message.content,
    finishReason: choices[0]?.finish_reason,
    usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens },
  });
}

function respondNumbers(text: string, outgoing: ServerResponse) {
  const { data, usage }: EmbeddingsList = JSON.parse(text);
  const embeddings = data.map(({ embedding }) => embedding);
  send(outgoing, { embeddings, usage: { inputTokens: usage.prompt_tokens } });
}

function send(outgoing: ServerResponse, answer: object) {
  const body = JSON.stringify(answer);
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
