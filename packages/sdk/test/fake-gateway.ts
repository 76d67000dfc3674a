import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { pause } from '../../../harness/pause.ts';
import { isRecord } from '../src/lib/is-record.ts';

/** A server with the gateway's wire format (the contract, chapter 3), with faults on demand. */
export interface FakeGateway {
  readonly baseUrl: string;
  /** The number of open connections. */
  connections(): Promise<number>;
  close(): void;
}

/**
 * Starts it on a free port. The last message of a chat selects the behavior: `flaky` fails at
 * first, `cut` breaks a stream at first. `refused`, `truncated`, `redirect`, `stall`, `drip` and
 * `later` act by their names; all other messages succeed.
 */
export async function serveFakeGateway(): Promise<FakeGateway> {
  const failed = new Set<unknown>();
  const server = createServer(async (incoming, outgoing) => {
    const body = await readBody(incoming);
    // A stream has the response of its route without a stream, in pieces.
    const path = incoming.url?.replace('/agents/stream', '/agents/run').replace('/stream', '');
    const route = `${incoming.method} ${path}`;
    outgoing.setHeader('x-request-id', `req_${lastMessage(body).content ?? incoming.url}`);
    if (incoming.method === 'POST') outgoing.setHeader('x-call-id', shared.id);
    const key = incoming.headers['idempotency-key'];
    if (body.model === 'sim-throttled') {
      return send(outgoing, 429, { error: { code: 'THROTTLED', message: 'later' } });
    }
    if (route === 'POST /v1/chat') return answerChat({ outgoing, body, key, failed });
    if (route === 'POST /v1/agents/run') return send(outgoing, 200, turnOf(body));
    if (route === 'POST /v1/objects') {
      return send(outgoing, 200, { ...shared, object: { city: 'Oslo', celsius: 7 } });
    }
    if (route === 'POST /openai/v1/chat/completions') {
      const message = { role: 'assistant', content: `You said: ${lastMessage(body).content}` };
      outgoing.setHeader('x-cost-usd', shared.cost.usd);
      return send(outgoing, 200, { id: shared.id, choices: [{ index: 0, message }] });
    }
    const account = accounts.get(route);
    if (account !== undefined) return send(outgoing, 200, account);
    return send(outgoing, 404, { error: { code: 'NOT_FOUND', message: `no ${route}` } });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const shared = {
  id: 'call-1',
  model: 'm',
  requestId: 'platform-1',
  usage: {
    inputTokens: 3,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 1,
    reasoningTokens: 0,
  },
  cost: { usd: '0.000183', estimated: false },
};
const accounts: ReadonlyMap<string, object> = new Map(
  Object.entries({
    'GET /v1/usage': {
      app: 'search',
      budget: { capUsd: '50', remainingUsd: '49.5' },
      totals: { calls: 7 },
    },
    'GET /v1/models': {
      models: [{ id: 'm', priced: true, price: { outputUsdPerMillion: '0.6' } }],
    },
    'POST /v1/runs': { runId: 'run_1' },
    'DELETE /v1/runs/run_1': { runId: 'run_1', endedAt: null },
    'POST /v1/quote': {
      ...{ fits: false, code: 'BUDGET_EXCEEDED', model: 'm', maxCostUsd: '1.285585' },
      ...{ binding: 'budget', maxTokensThatFit: 44_720, others: [] },
    },
    'GET /v1/credits/user%201': { userId: 'user 1', available: '999.5', granted: '1000' },
  }),
);

function answerChat(parts: {
  readonly outgoing: ServerResponse;
  readonly body: Readonly<Record<string, unknown>>;
  readonly key: unknown;
  readonly failed: Set<unknown>;
}): unknown {
  const { outgoing, body, key, failed } = parts;
  const content = lastMessage(body).content;
  const answer = { ...shared, text: `You said: ${content}`, finishReason: 'stop' };
  switch (content) {
    case 'flaky':
      if (failed.has(key)) return send(outgoing, 200, answer);
      failed.add(key);
      return send(outgoing, 503, { error: { code: 'WALLET_BUSY', message: 'busy' } });
    case 'truncated':
      outgoing.setHeader('x-cost-usd', '0.0000096');
      return send(outgoing, 422, { error: { code: 'TRUNCATED', message: 'raise maxTokens' } });
    case 'refused':
      return send(outgoing, 402, { error: { code: 'INSUFFICIENT_CREDITS', message: 'no' } });
    case 'redirect':
      return outgoing.writeHead(307, { location: '/elsewhere' }).end('moved');
    case 'cut':
      if (failed.has(key)) return send(outgoing, 200, answer);
      failed.add(key);
      return cutStream(outgoing, answer);
    case 'stall':
      return outgoing.writeHead(200, json).write('{"text":');
    case 'drip':
      return drip(outgoing, JSON.stringify(answer));
    case 'later':
      return pause(10).then(() => send(outgoing, 200, answer));
    default:
      return send(outgoing, 200, answer);
  }
}

/** Calls the first tool once, then finishes. */
function turnOf(body: Readonly<Record<string, unknown>>): object {
  const [first]: readonly unknown[] = Array.isArray(body.tools) ? body.tools : [];
  const isFirst = lastMessage(body).role !== 'tool' && isRecord(first);
  const toolCalls = isFirst ? [{ id: 'call-1', name: first.name, input: { city: 'Oslo' } }] : [];
  const text = isFirst ? undefined : 'It is 7 degrees in Oslo.';
  const message = { role: 'assistant', content: text, ...(isFirst ? { toolCalls } : {}) };
  return { ...shared, done: !isFirst, text, toolCalls, message };
}

function lastMessage({ messages }: Readonly<Record<string, unknown>>) {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isRecord(last) ? last : {};
}

async function drip(outgoing: ServerResponse, text: string): Promise<void> {
  outgoing.writeHead(200, json);
  for (let index = 0; index < text.length; index += 80) {
    outgoing.write(text.slice(index, index + 80));
    await pause(2);
  }
  outgoing.end();
}

/** The connection dies after the second event. */
function cutStream(outgoing: ServerResponse, body: object): void {
  outgoing.writeHead(200, eventStream);
  const [start = '', first = ''] = textsOf(body);
  outgoing.write(start + first, () => pause(5).then(() => outgoing.destroy()));
}

/** The events of a stream with this response, as text. */
function textsOf(body: object): readonly string[] {
  const { id, model, requestId, text = '', toolCalls = [] } = Object(body);
  const words: readonly string[] = text.match(/\S+\s*/g) ?? [];
  const events = [
    ['start', { id, model, requestId }],
    ...words.map((word) => ['text', { text: word }]),
    ...toolCalls.map((call: object) => ['toolCall', call]),
    ['finish', body],
  ];
  return events.map(([name, data], index) => {
    return `id: ${index + 1}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  });
}

const json = { 'content-type': 'application/json' };
const eventStream = { 'content-type': 'text/event-stream; charset=utf-8' };

function send(outgoing: ServerResponse, status: number, body: object): void {
  if (status === 200 && outgoing.req.url?.endsWith('/stream')) {
    const text = textsOf(body).join('');
    outgoing.writeHead(200, eventStream).end(text);
    return;
  }
  outgoing.writeHead(status, json).end(JSON.stringify(body));
}

async function readBody(incoming: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const body: unknown = text === '' ? {} : JSON.parse(text);
  return isRecord(body) ? body : {};
}
