import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pause } from '../../../../harness/pause.ts';
import { until } from '../../../../harness/until.ts';
import { httpOptions } from '../../src/ingress/http/options.ts';
import { chatOf } from '../support/exchange.ts';
import { type OpenAiServer, openAiKey, startOpenAiServer } from '../support/openai-server.ts';
import { requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** More than sockets accept without a reader. */
const answerBytes = 15_000_000;
// The service's limit, divided by 30.
const http = { ...httpOptions, unreadTimeout: httpOptions.unreadTimeout / 30 };

let platform: OpenAiServer;
let server: TestServer;
beforeAll(async () => {
  platform = await startOpenAiServer();
  const yaml = `
company: acme
store: sqlite:./gateway.db
platforms:
  far: { kind: openai-compatible, baseUrl: "${platform.baseUrl}", apiKey: ${openAiKey} }
unpriced: free
models: [{ id: long, platform: far, maxOutputTokens: 1000000 }]
apps: [{ name: search }, { name: tutor }]
`;
  server = await startServer({ yaml, http });
});
afterAll(async () => {
  await server.close();
  await platform.close();
});

const message = { role: 'assistant', content: 'x'.repeat(answerBytes) };
const completion = {
  status: 200,
  body: JSON.stringify({
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'long' },
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
  }),
};

/** Requests the long response, and reads nothing. */
async function ask(app: string): Promise<Socket> {
  const headers = { 'x-api-key': await server.key(app), 'content-type': 'application/json' };
  const body = JSON.stringify(chatOf('long', { maxTokens: 1_000_000 }));
  platform.next(completion, completion);
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  // The socket counts the read bytes, and nothing stores them.
  socket.on('data', () => undefined).pause();
  await once(socket, 'connect');
  socket.write(requestText('POST /v1/chat', headers, body));
  return socket;
}

test('a response that nobody reads holds its bytes, until its client is closed', async () => {
  const { concurrency } = server.service;
  const deaf = await Promise.all([ask('search'), ask('search')]);
  await until(() => concurrency.load().bodyBytes > 2 * answerBytes);
  expect(concurrency.loads().get('search')?.bodyBytes).toBe(concurrency.load().bodyBytes);
  expect(concurrency.load().requests).toBe(2);
  await until(() => concurrency.load().requests === 0);
  expect(concurrency.load()).toEqual({ requests: 0, bodyBytes: 0 });
  for (const socket of deaf) {
    socket.resume();
    await once(socket, 'close');
    expect(socket.bytesRead).toBeLessThan(answerBytes);
  }
});

test('a client that disconnects frees them at once', async () => {
  const { concurrency } = server.service;
  const deaf = await ask('search');
  await until(() => concurrency.load().bodyBytes > answerBytes);
  deaf.destroy();
  await until(() => concurrency.load().requests === 0);
  expect(concurrency.load().bodyBytes).toBe(0);
});

test('a client that reads slowly is served to the end, and its connection continues', async () => {
  const { concurrency } = server.service;
  const slow = await ask('tutor');
  await until(() => concurrency.load().bodyBytes > answerBytes);
  // A client that connects later and reads nothing is ended first: the limit is over for both.
  await ask('search');
  await until(() => concurrency.load().bodyBytes > 2 * answerBytes);
  const isCut = () => concurrency.loads().get('search')?.requests !== 1;
  for (let bytes = 100_000; !isCut(); bytes += 100_000) {
    await readTo(slow, bytes);
    await pause(50);
  }
  expect(slow.bytesRead).toBeLessThan(answerBytes);
  slow.resume();
  await until(() => slow.bytesRead > answerBytes && concurrency.load().requests === 0);
  const before = slow.bytesRead;
  slow.write(requestText('GET /v1/models', { 'x-api-key': await server.key('tutor') }));
  await until(() => slow.bytesRead > before);
  slow.destroy();
});

/** Reads a response up to this many bytes, and then nothing. */
async function readTo(socket: Socket, bytes: number) {
  const pauseThere = () => socket.bytesRead >= bytes && socket.pause();
  socket.on('data', pauseThere).resume();
  await until(() => socket.bytesRead >= bytes && socket.isPaused());
  socket.off('data', pauseThere);
}
