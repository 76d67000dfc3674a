import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isRecord } from '../src/lib/is-record.ts';

/** A request, as received by the server. */
export interface SeenRequest {
  readonly route: string;
  readonly key: string | undefined;
  readonly accept: string | undefined;
  readonly body: string;
  /** True if its client disconnected before its end. */
  isDisconnected: boolean;
}

/** A server that streams like the gateway, and breaks its streams on demand. */
export interface StreamGateway {
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  close(): void;
}

const usage = {
  ...{ inputTokens: 3, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
  ...{ outputTokens: 4, reasoningTokens: 0 },
};
const cost = { usd: '0.000183', estimated: false };
const shared = { id: 'call_1', model: 'm', requestId: 'req_p' };

/** The model's output for every chat; each text is an event. */
export const words = ['Hello, ', 'w\u00f6rld \u{1f30d}', '!'];
/** The response to a chat. */
export const chatBody = { ...shared, text: words.join(''), finishReason: 'stop', usage, cost };

const toolCall = { id: 'tool_1', name: 'weather', input: { city: 'Ulm' } };

interface Written {
  readonly event: string;
  readonly data: object;
}

/** The events of a whole stream, by its route. */
function eventsOf(route: string, isAnswered: boolean): readonly Written[] {
  const start = { event: 'start', data: shared };
  const texts = words.map((text) => ({ event: 'text', data: { text } }));
  if (route === '/v1/chat/stream') return [start, ...texts, { event: 'finish', data: chatBody }];
  if (route === '/v1/objects/stream') {
    const jsons = ['{"city":', '"Ulm"}'].map((text) => ({ event: 'json', data: { text } }));
    const object = { city: 'Ulm' };
    return [start, ...jsons, { event: 'finish', data: { ...shared, object, usage, cost } }];
  }
  const text = words.join('');
  const toolCalls = isAnswered ? [] : [toolCall];
  const message = { role: 'assistant', content: text, ...(isAnswered ? {} : { toolCalls }) };
  const finish = { ...shared, done: isAnswered, text, toolCalls, message, usage, cost };
  const calls = isAnswered ? [] : [{ event: 'toolCall', data: toolCall }];
  return [start, ...texts, ...calls, { event: 'finish', data: finish }];
}

/**
 * Starts it on a free port. The last user text selects the behavior for the first request under a
 * key. Later requests get the whole response again, in one text, like the gateway's replay.
 *
 * - `flaky`: 503
 * - `cut N`: the connection dies after N events
 * - `end N`: the body ends after N events
 * - `hang N`: nothing more comes after N events
 * - `away N`: the connection dies after 1 event, and N requests then get the gateway's 504
 * - `drip`: single bytes, with CRLF and comments
 * - `odd`: an event with invalid JSON
 * - `error`: the last event is an error; `html`: the body is HTML
 * - any other text succeeds
 */
export async function serveStreamGateway(): Promise<StreamGateway> {
  const seen: SeenRequest[] = [];
  const bodies = new Map<string, string>();
  const server = createServer(async (incoming, outgoing) => {
    const body = await readBody(incoming);
    const route = incoming.url ?? '';
    const key = incoming.headers['idempotency-key'];
    const receivedKey = typeof key === 'string' ? key : undefined;
    const request = {
      route,
      key: receivedKey,
      accept: incoming.headers.accept,
      body,
      isDisconnected: false,
    };
    seen.push(request);
    outgoing.on('close', () => {
      request.isDisconnected = !outgoing.writableFinished;
    });
    const wrong = wrongWith(request, incoming.method, bodies);
    if (wrong !== undefined) return sendJson(outgoing, 400, errorOf('INVALID', wrong));
    const times = seen.filter((one) => one.key === key && one.route === route).length;
    await answer({ request, outgoing, times });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object(server.address());
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    seen,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The gateway's own rules: one body per key, and a stream must be requested as one. */
function wrongWith(
  { key, accept, body, route }: SeenRequest,
  method: string | undefined,
  bodies: Map<string, string>,
): string | undefined {
  if (method !== 'POST') return `no method ${method}`;
  if (!/^\/v1\/(chat|objects|agents)\/stream$/.test(route)) return `no route ${route}`;
  if (key === undefined) return 'no key';
  if (accept !== 'text/event-stream') return `accept is ${accept}`;
  const first = bodies.get(key) ?? `${route} ${body}`;
  bodies.set(key, first);
  return first === `${route} ${body}` ? undefined : 'the key was used for another request';
}

interface Answering {
  readonly request: SeenRequest;
  readonly outgoing: ServerResponse;
  readonly times: number;
}

async function answer({ request, outgoing, times }: Answering): Promise<void> {
  const { messages } = Object(JSON.parse(request.body));
  const isAnswered = messages.at(-1).role === 'tool';
  const text = String(messages.findLast(({ role }: { role: string }) => role === 'user').content);
  const [what = '', count = '0'] = isAnswered ? [] : text.split(' ');
  const events = eventsOf(request.route, isAnswered);
  const stop = Number(count);
  outgoing.setHeader('x-request-id', `req_${times}`);
  outgoing.setHeader('x-call-id', shared.id);
  if (what === 'error') return sendAll(outgoing, failing(events));
  if (what === 'away' && times > 1 && times <= stop + 1) {
    return sendJson(outgoing, 504, { message: 'Endpoint request timed out' });
  }
  if (times > 1) {
    if (what !== 'flaky') outgoing.setHeader('idempotent-replayed', 'true');
    return sendAll(outgoing, replayOf(events));
  }
  if (what === 'flaky') return sendJson(outgoing, 503, errorOf('WALLET_BUSY', 'busy'));
  if (what === 'html') {
    outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
    return;
  }
  if (what === 'drip') return drip(outgoing, events);
  if (what === 'odd') return sendUnexpected(outgoing, events);
  if (!['cut', 'end', 'hang', 'away'].includes(what)) return sendAll(outgoing, events);
  await send(outgoing, events.slice(0, what === 'away' ? 1 : stop));
  if (what === 'end') outgoing.end();
  else if (what !== 'hang') outgoing.destroy();
}

/** The gateway's replay of a response: all text in one event. */
function replayOf(events: readonly Written[]): readonly Written[] {
  const texts = events.flatMap(({ event, data }) => (event === 'text' ? [Object(data).text] : []));
  const others = events.filter(({ event }) => event !== 'text');
  const [start, ...rest] = others;
  if (start === undefined || texts.length === 0) return others;
  return [start, { event: 'text', data: { text: texts.join('') } }, ...rest];
}

function failing(events: readonly Written[]): readonly Written[] {
  const error = { code: 'TRUNCATED', message: 'it was cut', requestId: 'req_p', model: 'm' };
  return [...events.slice(0, -1), { event: 'error', data: { error, usage, cost, partial: true } }];
}

function begin(outgoing: ServerResponse): void {
  outgoing.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
}

function textsOf(events: readonly Written[], lineEnd = '\n'): readonly string[] {
  return events.map(({ event, data }, index) => {
    const lines = [`id: ${index + 1}`, `event: ${event}`, `data: ${JSON.stringify(data)}`, '', ''];
    return lines.join(lineEnd);
  });
}

/** Each event in a separate piece. */
async function send(outgoing: ServerResponse, events: readonly Written[]): Promise<void> {
  begin(outgoing);
  outgoing.flushHeaders();
  for (const text of textsOf(events)) await write(outgoing, text);
}

async function sendAll(outgoing: ServerResponse, events: readonly Written[]): Promise<void> {
  await send(outgoing, events);
  outgoing.end();
}

async function sendUnexpected(outgoing: ServerResponse, events: readonly Written[]): Promise<void> {
  await send(outgoing, events.slice(0, 2));
  await write(outgoing, 'event: text\ndata: {"text": no JSON\n\n');
}

async function drip(outgoing: ServerResponse, events: readonly Written[]): Promise<void> {
  begin(outgoing);
  const unknownEvent = 'event: of-tomorrow\r\ndata: 7\r\n\r\n';
  const text = `: hello\r\n\r\n${textsOf(events, '\r\n').join(`: still here\r\n\r\n${unknownEvent}`)}`;
  for (const byte of Buffer.from(text)) await write(outgoing, Buffer.of(byte));
  outgoing.end();
}

/** Resolves when the connection has it, a turn later, or is closed. */
function write(outgoing: ServerResponse, piece: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    outgoing.write(piece, () => setImmediate(resolve));
  });
}

function errorOf(code: string, message: string) {
  return { error: { code, message } };
}

function sendJson(outgoing: ServerResponse, status: number, body: object): void {
  if (isRecord(body)) outgoing.setHeader('content-type', 'application/json');
  outgoing.writeHead(status).end(JSON.stringify(body));
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
