import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { ClientOptions } from '../src/call/options.ts';
import { createClient, LlmError } from '../src/index.ts';
import { apiKey, chatAnswer, chatRequest } from './scripted-client.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

function clientOf(port: number, options: Partial<ClientOptions> = {}) {
  return createClient({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey, ...options });
}

async function errorOf(call: Promise<unknown>): Promise<LlmError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof LlmError) return error;
  throw new Error('the call did not fail with an LlmError', { cause: error });
}

const json = { 'content-type': 'application/json' };

describe('over a real socket', () => {
  test('a call arrives whole and succeeds', async () => {
    const seen: unknown[] = [];
    const port = await serve(async (incoming, outgoing) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk);
      const { method, url, headers } = incoming;
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      seen.push({ method, url, key: headers['x-api-key'], body });
      outgoing.writeHead(200, json).end(JSON.stringify(chatAnswer));
    });
    expect(await clientOf(port).chat(chatRequest)).toEqual(chatAnswer);
    expect(seen).toEqual([{ method: 'POST', url: '/v1/chat', key: apiKey, body: chatRequest }]);
  });

  test('a connection reset in the body is retried with the same key', async () => {
    const keys: unknown[] = [];
    const port = await serve((incoming, outgoing) => {
      keys.push(incoming.headers['idempotency-key']);
      if (keys.length > 1) return outgoing.writeHead(200, json).end(JSON.stringify(chatAnswer));
      outgoing.writeHead(200, { ...json, 'content-length': '100' }).write('{"te', () => {
        incoming.socket.destroy();
      });
      return undefined;
    });
    const errors: string[] = [];
    const onRetry = ({ error }: { error: LlmError }) => errors.push(error.code);
    expect(await clientOf(port).chat(chatRequest, { onRetry })).toEqual(chatAnswer);
    expect(errors).toEqual(['NETWORK']);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('a body that stalls ends at the deadline, and its socket closes', async () => {
    const closed = Promise.withResolvers<void>();
    const port = await serve((_incoming, outgoing) => {
      outgoing.on('close', () => closed.resolve());
      outgoing.writeHead(200, json).write('{"text":');
    });
    const call = clientOf(port).chat(chatRequest, { timeoutMs: 100 });
    expect(await errorOf(call)).toMatchObject({ code: 'TIMEOUT', status: 0, attempts: 1 });
    await closed.promise;
  });
});

describe('the end of a call over a real socket', () => {
  test('an abort closes the socket', async () => {
    const controller = new AbortController();
    const closed = Promise.withResolvers<void>();
    const port = await serve((_incoming, outgoing) => {
      outgoing.on('close', () => closed.resolve());
      controller.abort();
    });
    const call = clientOf(port).chat(chatRequest, { signal: controller.signal });
    expect(await errorOf(call)).toMatchObject({ code: 'ABORTED', status: 0, attempts: 1 });
    await closed.promise;
  });

  test('a redirect is not followed: the key is not sent on', async () => {
    const elsewhere: unknown[] = [];
    const otherPort = await serve((incoming, outgoing) => {
      elsewhere.push(incoming.headers);
      outgoing.end('{}');
    });
    const port = await serve((_incoming, outgoing) => {
      outgoing.writeHead(307, { location: `http://127.0.0.1:${otherPort}/v1/chat` }).end('moved');
    });
    const error = await errorOf(clientOf(port).chat(chatRequest));
    expect(error).toMatchObject({ code: 'HTTP_307', status: 307, attempts: 1 });
    expect(elsewhere).toEqual([]);
  });

  test('no listener: NETWORK reports it', async () => {
    const port = await serve(() => undefined);
    const [server] = servers.splice(0);
    server?.close();
    const error = await errorOf(clientOf(port, { maxAttempts: 1 }).chat(chatRequest));
    expect(error).toMatchObject({ code: 'NETWORK', status: 0 });
    expect(error.message).toContain('ECONNREFUSED');
  });
});
