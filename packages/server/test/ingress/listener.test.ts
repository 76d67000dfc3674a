import { LlmError } from '@model-gateway/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { expectBooks, expectClean, heldBy, paid } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import { exchangeRaw, openRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer({
    script: ({ request }) =>
      request.messages.at(-1)?.texts[0] === 'take your time'
        ? { kind: 'answer', text: 'done', delayMs: 150 }
        : undefined,
  });
  key = await server.key('search');
});
afterAll(() => server.close());

const chatBody = JSON.stringify(chatOf('sim-echo'));

function post(body: string, headers: Readonly<Record<string, string>> = {}): string {
  const own = { 'x-api-key': key, 'content-type': 'application/json', ...headers };
  return requestText('POST /v1/chat', own, body);
}

describe('a client over a socket', () => {
  test('gets responses, and the faults of its requests', async () => {
    const client = await server.client('search');
    const answer = await client.chat(chatOf('sim-echo'));
    expect(answer).toMatchObject({ text: 'Hello, gateway!', cost: { usd: '0.000006' } });
    const refused = client.chat({ ...chatOf('sim-echo'), maxTokens: 0 });
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'INVALID' });
    const failed = client.chat(chatOf('sim-rejects'));
    const error = await failed.catch((thrown: unknown) => thrown);
    expect(LlmError.is(error) && error.requestId).toMatch(/^req_/);
  });

  test('gets the headers of the contract', async () => {
    const response = await fetch(`${server.url}/v1/usage`, { headers: { 'x-api-key': 'nobody' } });
    expect(response.status).toBe(403);
    expect(await response.text()).toBe('{"message":"Forbidden"}');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^req_/),
      'x-should-retry': 'false',
    });
  });

  test('can send many requests on one connection', async () => {
    const connection = await openRaw(server.port);
    for (let request = 0; request < 3; request++) {
      connection.write(post(chatBody));
      expect((await connection.answer()).status).toBe(200);
    }
    connection.write(post('{') + post(chatBody));
    expect((await connection.answer()).status).toBe(400);
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });

  test('can send its body in pieces of any size', async () => {
    const connection = await openRaw(server.port);
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const chunked = { ...headers, 'transfer-encoding': 'chunked' };
    connection.write(requestText('POST /v1/chat', chunked));
    for (const piece of chatBody.match(/.{1,7}/g) ?? []) {
      connection.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    connection.write('0\r\n\r\n');
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });

  test('can ask before it sends its body', async () => {
    const connection = await openRaw(server.port);
    const [head = ''] = post(chatBody, { expect: '100-continue' }).split('\r\n\r\n');
    connection.write(`${head}\r\n\r\n`);
    expect((await connection.answer()).status).toBe(100);
    connection.write(chatBody);
    expect((await connection.answer()).status).toBe(200);
    connection.close();
  });

  test('can send the whole address, as to a proxy, and a query', async () => {
    const headers = { 'x-api-key': key };
    for (const target of ['http://gateway.test/v1/usage', '/v1/usage?day=1', '/v1/usage?']) {
      const answer = await exchangeRaw(server.port, requestText(`GET ${target}`, headers));
      expect(answer.status, target).toBe(200);
    }
  });

  test('that disconnects during its call pays the call, and holds nothing', async () => {
    const connection = await openRaw(server.port);
    const tutor = await server.key('tutor');
    const slow = chatOf('sim-echo', { userId: 'ada' });
    const messages = [{ role: 'user', content: 'take your time' }];
    connection.write(post(JSON.stringify({ ...slow, messages }), { 'x-api-key': tutor }));
    await until(async () => (await heldBy(server.store, 'tutor')) === 1);
    connection.close();
    await until(async () => (await heldBy(server.store, 'tutor')) === 0);
    const cost = paid('0.0000042', 'ABORTED');
    await expectBooks(server, 'tutor', { calls: [cost], billedUsd: cost.costUsd });
  });

  test('that disconnects during its body has made no call', async () => {
    const before = server.simulator.bill().total.calls;
    const connection = await openRaw(server.port);
    connection.write(post(chatBody).slice(0, -10));
    await new Promise((resolve) => setImmediate(resolve));
    connection.close();
    await expectClean(server);
    expect(server.simulator.bill().total.calls).toBe(before);
  });
});

describe('a body of 5 MB', () => {
  const long = JSON.stringify(chatOf('sim-echo', { filler: 'a'.repeat(5_000_000) }));
  const tooLong = '{"message":"Request Too Long"}';

  test('with a stated length is rejected before it is read, with a response', async () => {
    const answer = await exchangeRaw(server.port, post(long));
    expect([answer.status, answer.text]).toEqual([413, tooLong]);
    expect(answer.headers.get('x-should-retry')).toBe('false');
    const client = await server.client('search');
    const refused = client.chat(chatOf('sim-echo', { filler: 'a'.repeat(5_000_000) }));
    await expect(refused).rejects.toMatchObject({ status: 413, code: 'REQUEST_TOO_LONG' });
  });

  test('without a stated length is rejected when it gets too long', async () => {
    const chunked = post('', { 'transfer-encoding': 'chunked' });
    const size = Buffer.byteLength(long).toString(16);
    const answer = await exchangeRaw(server.port, `${chunked}${size}\r\n${long}\r\n0\r\n\r\n`);
    expect([answer.status, answer.text]).toEqual([413, tooLong]);
  });

  test('is read to its end, so a client that continues to send receives the response', async () => {
    const connection = await openRaw(server.port);
    connection.write(post('', { 'content-length': '5000000' }));
    expect((await connection.answer()).status).toBe(413);
    for (let written = 0; written < 5_000_000; written += 100_000) {
      expect(connection.socket.destroyed).toBe(false);
      await new Promise((resolve) => connection.socket.write(Buffer.alloc(100_000), resolve));
    }
    await connection.ended();
    connection.close();
  });

  test('is ended when it exceeds the limit by more than a megabyte', async () => {
    const connection = await openRaw(server.port);
    connection.write(post('', { 'content-length': '99000000' }));
    expect((await connection.answer()).status).toBe(413);
    let written = 0;
    for (; written < 99_000_000 && !connection.socket.destroyed; written += 100_000) {
      await new Promise((resolve) => connection.socket.write(Buffer.alloc(100_000), resolve));
    }
    expect(written).toBeGreaterThanOrEqual(4_194_304);
    expect(written).toBeLessThan(30_000_000);
    connection.close();
  });

  test('is not even begun by a client that asks first', async () => {
    const connection = await openRaw(server.port);
    connection.write(post('', { 'content-length': '5000000', expect: '100-continue' }));
    expect((await connection.answer()).status).toBe(413);
    connection.close();
  });

  test('of an unknown key is rejected for the key', async () => {
    const headers = { 'x-api-key': 'nobody-knows-this-key' };
    const response = await fetch(`${server.url}/v1/chat`, { method: 'POST', headers, body: long });
    expect(response.status).toBe(403);
    expect(await response.text()).toBe('{"message":"Forbidden"}');
  });

  test('leaves the service unchanged', async () => {
    expect((await exchangeRaw(server.port, post(chatBody))).status).toBe(200);
  });
});
