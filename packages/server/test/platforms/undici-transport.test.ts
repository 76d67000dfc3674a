import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestClock } from '../support/test-clock.ts';
import {
  answerOf,
  failureOf,
  openServer,
  openTransport,
  releaseAll,
  requestWith,
  sendTo,
} from './support/exchanges.ts';
import { answering, answerText, type Script } from './support/scripted-server.ts';

afterEach(releaseAll);

const anyTime = () => new AbortController().signal;

describe('the request', () => {
  it('is written under the path of the base URL, and requests no encoding', async () => {
    const server = await openServer(answering(200, '{}'));
    const transport = openTransport({ baseUrl: `${server.url}/openai/` });
    await answerOf(transport.send(requestWith(anyTime())));
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(request?.head).toMatch(/^POST \/openai\/v1\/chat\/completions HTTP\/1.1\r\n/);
    expect(request?.head).not.toContain('accept-encoding');
    expect(request?.body).toBe('{"model":"test-model"}');
  });
});

describe('a response is read', () => {
  type Row = { readonly name: string; readonly script: Script; readonly body: string };
  const rows: readonly Row[] = [
    { name: 'of a stated length', script: answering(200, '{"a":1}'), body: '{"a":1}' },
    { name: 'that is empty', script: answering(200, ''), body: '' },
    {
      name: 'in chunks',
      script: answering(200, '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n', {
        'transfer-encoding': 'chunked',
      }),
      body: '{"a":1}',
    },
    {
      name: 'that ends with its connection',
      script: (socket) => void socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"a":1}'),
      body: '{"a":1}',
    },
    {
      name: 'after a notice',
      script: (socket) =>
        void socket.write(`HTTP/1.1 103 Early Hints\r\n\r\n${answerText(200, '{"a":1}')}`),
      body: '{"a":1}',
    },
    {
      name: 'after several notices, with fields of their own',
      script: (socket) => {
        const notice = 'HTTP/1.1 102 Processing\r\nx-request-id: no\r\n\r\n';
        socket.write(notice, () => socket.write(`${notice}${answerText(200, '{"a":1}')}`));
      },
      body: '{"a":1}',
    },
    {
      name: 'that is said to be unencoded',
      script: answering(200, '{"a":1}', { 'content-encoding': 'identity' }),
      body: '{"a":1}',
    },
    {
      name: 'cut at the length that it states',
      script: answering(200, '{"a":1}and more', { 'content-length': '7' }),
      body: '{"a":1}',
    },
    {
      name: 'in drips',
      script: (socket) => {
        const bytes = [...answerText(200, '{"a":1}')];
        const write = () => {
          const byte = bytes.shift();
          if (byte !== undefined) socket.write(byte, () => setImmediate(write));
        };
        write();
      },
      body: '{"a":1}',
    },
    { name: 'of 8 MB', script: answering(200, 'x'.repeat(8e6)), body: 'x'.repeat(8e6) },
  ];

  it.each(rows)('$name', async ({ script, body }) => {
    const server = await openServer(script);
    const controller = new AbortController();
    const response = await answerOf(sendTo(server.url, controller.signal));
    expect(response.status).toBe(200);
    expect(response.body.toString() === body).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('with its headers in lower case, repeated ones joined', async () => {
    const server = await openServer((socket) => {
      socket.write('HTTP/1.1 429 No\r\nX-Request-ID: 1\r\nVia: a\r\nVia: b\r\n');
      socket.write('Content-Length: 0\r\n\r\n');
    });
    const { status, headers } = await answerOf(sendTo(server.url));
    expect(status).toBe(429);
    expect(headers).toEqual({ 'x-request-id': '1', via: 'a, b', 'content-length': '0' });
  });

  it('that redirects, which is not followed', async () => {
    const elsewhere = await openServer(answering(200, '{}'));
    const server = await openServer(answering(301, '', { location: `${elsewhere.url}/v1` }));
    const { status } = await answerOf(sendTo(server.url));
    expect(status).toBe(301);
    expect(elsewhere.accepted()).toBe(0);
  });
});

describe('connections', () => {
  it('are kept for the next request, once they have rested', async () => {
    const server = await openServer(answering(200, '{}'));
    const clock = createTestClock();
    const transport = openTransport({ baseUrl: server.url, clock });
    for (let index = 0; index < 50; index++) {
      await answerOf(transport.send(requestWith(anyTime())));
      await clock.advance(2);
    }
    expect(server.accepted()).toBe(1);
  });

  it('that the server closed in between are not used, and nothing is sent twice', async () => {
    const server = await openServer(answering(200, '{}'));
    const transport = openTransport({ baseUrl: server.url });
    await answerOf(transport.send(requestWith(anyTime())));
    await server.endConnections();
    const { status } = await answerOf(transport.send(requestWith(anyTime())));
    expect(status).toBe(200);
    expect(server.accepted()).toBe(2);
    expect(server.requests).toHaveLength(2);
  });

  it('carry one request at a time', async () => {
    const server = await openServer(answering(200, '{}'));
    const transport = openTransport({ baseUrl: server.url });
    const sends = Array.from({ length: 20 }, () =>
      answerOf(transport.send(requestWith(anyTime()))),
    );
    await Promise.all(sends);
    expect(server.accepted()).toBe(20);
  });

  it('beyond the limit are waited for, and a wait can be canceled', async () => {
    const controller = new AbortController();
    const held: (() => void)[] = [];
    const server = await openServer((socket) => {
      held.push(() => socket.write(answerText(200, '{}')));
      controller.abort();
    });
    const transport = openTransport({ baseUrl: server.url, connectionsMax: 1 });
    const first = transport.send(requestWith(anyTime()));
    const second = transport.send(requestWith(controller.signal));
    expect(await failureOf(second)).toMatchObject({ kind: 'aborted', wasSent: false });
    for (const answer of held) answer();
    expect((await answerOf(first)).status).toBe(200);
    expect(server.requests).toHaveLength(1);
  });

  it('are closed with the transport; exchanges on them are lost', async () => {
    const server = await openServer(() => void transport.close());
    const transport = openTransport({ baseUrl: server.url });
    const running = transport.send(requestWith(anyTime()));
    expect(await failureOf(running)).toMatchObject({ kind: 'lost', wasSent: true });
    await server.noConnections();
    expect(await failureOf(transport.send(requestWith(anyTime())))).toMatchObject({
      wasSent: false,
    });
  });
});
