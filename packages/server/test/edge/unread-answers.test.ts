import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpOptions } from '../../src/edge/http-options.ts';
import { chatOf } from '../support/exchange.ts';
import { type OpenAiServer, openAiKey, startOpenAiServer } from '../support/openai-server.ts';
import { openRaw, type RawConnection, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** More than sockets take without anybody reading. */
const answerBytes = 15_000_000;
// The service's limit, fifteen times as short.
const http = { ...httpOptions, unreadTimeout: httpOptions.unreadTimeout / 15 };

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

/** Asks for the long answer, and reads nothing. */
async function ask(app: string): Promise<RawConnection> {
  const headers = { 'x-api-key': await server.key(app), 'content-type': 'application/json' };
  const body = JSON.stringify(chatOf('long', { maxTokens: 1_000_000 }));
  platform.next(completion, completion);
  const connection = await openRaw(server.port);
  connection.socket.pause();
  connection.write(requestText('POST /v1/chat', headers, body));
  return connection;
}

test('an answer that nobody reads holds its bytes, until its client is cut', async () => {
  const { gate } = server.service;
  const deaf = await Promise.all([ask('search'), ask('search')]);
  await until(() => gate.load().bodyBytes > 2 * answerBytes);
  expect(gate.loads().get('search')?.bodyBytes).toBe(gate.load().bodyBytes);
  expect(gate.load().requests).toBe(2);
  await until(() => gate.load().requests === 0);
  expect(gate.load()).toEqual({ requests: 0, bodyBytes: 0 });
  for (const connection of deaf) {
    connection.socket.resume();
    await connection.ended();
    await expect(connection.answer()).rejects.toThrow('ended after');
    connection.close();
  }
});

test('one that leaves gives them back at once', async () => {
  const { gate } = server.service;
  const deaf = await ask('search');
  await until(() => gate.load().bodyBytes > answerBytes);
  deaf.close();
  await until(() => gate.load().requests === 0);
  expect(gate.load().bodyBytes).toBe(0);
});

test('a client that reads slowly is served to the end, and its connection goes on', async () => {
  const { gate } = server.service;
  const slow = await ask('tutor');
  await until(() => gate.load().bodyBytes > answerBytes);
  // Three limits long, it takes some now and then.
  for (let piece = 0; piece < 15; piece++) {
    await pause((3 * http.unreadTimeout) / 15);
    slow.socket.resume();
    await pause(1);
    slow.socket.pause();
  }
  slow.socket.resume();
  const { status, text } = await slow.answer();
  expect([status, text.length > answerBytes]).toEqual([200, true]);
  await until(() => gate.load().requests === 0);
  slow.write(requestText('GET /v1/models', { 'x-api-key': await server.key('tutor') }));
  expect((await slow.answer()).status).toBe(200);
  slow.close();
});
