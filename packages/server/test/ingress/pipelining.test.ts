import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pipelinedMax } from '../../src/ingress/http/pipelining.ts';
import { openRaw, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startServer();
  key = await server.key('search');
});
afterAll(() => server.close());

/** The statuses of the responses to a packet: at most this many, or until the last. */
async function statusesOf(packet: string, most: number) {
  const connection = await openRaw(server.port);
  connection.write(packet);
  const statuses: number[] = [];
  for (let isOpen = true; isOpen && statuses.length < most; ) {
    const { status, headers } = await connection.answer();
    statuses.push(status);
    isOpen = headers.get('connection') !== 'close';
    if (!isOpen) await expect(connection.answer()).rejects.toThrow('ended after ""');
  }
  connection.close();
  return statuses;
}

describe('simultaneous requests on one connection', () => {
  const many = 3 * pipelinedMax;

  test.each([
    ['without a key', requestText('GET /v1/usage', {}), 403],
    ['to a page without a key', requestText('GET /health', {}), 200],
    ['to no route', requestText('GET /nowhere', {}), 403],
  ])('are few %s: the last response closes it', async (_name, request, status) => {
    const expected = Array.from({ length: pipelinedMax }, () => status);
    expect(await statusesOf(request.repeat(many), many)).toEqual(expected);
  });

  test('are as many as its rate limit allows with a key', async () => {
    const request = requestText('GET /v1/models', { 'x-api-key': key });
    expect(await statusesOf(request.repeat(many), many)).toEqual(
      Array.from({ length: many }, () => 200),
    );
  });

  test('can be any number one after the other', async () => {
    const connection = await openRaw(server.port);
    for (let request = 0; request < many; request++) {
      connection.write(requestText('GET /v1/usage', {}));
      expect((await connection.answer()).status).toBe(403);
    }
    connection.close();
  });
});
