import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { TransportFailure } from '../../src/platforms/http/transport.ts';
import { failureOf, openServer, releaseAll, sendTo } from './support/exchanges.ts';
import { unusedPort } from './support/scripted-server.ts';

afterEach(releaseAll);

type Fault = {
  readonly name: string;
  /** Gets a function that cancels the request, for faults that would last. */
  readonly script: (socket: Socket, cut: () => void) => void;
  readonly kind: TransportFailure['kind'];
  readonly causeCode: string;
  /** Of the response's head, if that much arrived. */
  readonly status?: number;
};

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

const faults: readonly Fault[] = [
  {
    name: 'accepted, then silent',
    script: (_, cut) => cut(),
    kind: 'aborted',
    causeCode: 'ABORTED',
  },
  {
    name: 'reset before the answer',
    script: (socket) => void socket.resetAndDestroy(),
    kind: 'lost',
    causeCode: 'ECONNRESET',
  },
  {
    name: 'half-closed without an answer',
    script: (socket) => void socket.end(),
    kind: 'lost',
    causeCode: 'UND_ERR_SOCKET',
  },
  {
    name: 'reset within the head',
    script: (socket) => void socket.write(head, () => resetLater(socket)),
    kind: 'lost',
    causeCode: 'ECONNRESET',
  },
  {
    name: 'reset after the head',
    script: (socket) =>
      void socket.write(`${head}content-length: 9\r\n\r\n`, () => resetLater(socket)),
    kind: 'lost',
    causeCode: 'ECONNRESET',
    status: 200,
  },
  {
    name: 'reset within the body',
    script: (socket) =>
      void socket.write(`${head}content-length: 9\r\n\r\n{"a"`, () => resetLater(socket)),
    kind: 'lost',
    causeCode: 'ECONNRESET',
    status: 200,
  },
  {
    name: 'closed within the body of a connection that was to be kept',
    script: (socket) => void socket.end(`${head}content-length: 9\r\n\r\n{"a"`),
    kind: 'lost',
    causeCode: 'UND_ERR_SOCKET',
    status: 200,
  },
  {
    name: 'closed within a chunked body',
    script: (socket) => void socket.end(`${head}transfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\n`),
    kind: 'lost',
    causeCode: 'UND_ERR_SOCKET',
    status: 200,
  },
  {
    name: 'shorter than the length that it states',
    script: (socket) =>
      void socket.end(`${head}connection: close\r\ncontent-length: 9\r\n\r\n{"a"`),
    kind: 'unusable',
    causeCode: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
    status: 200,
  },
  {
    name: 'no HTTP',
    script: (socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
    kind: 'lost',
    causeCode: 'HTTPParserError',
  },
  {
    name: '100 Continue, which nobody asked for',
    script: (socket) =>
      void socket.write(`HTTP/1.1 100 Continue\r\n\r\n${head}content-length: 2\r\n\r\n{}`),
    kind: 'unusable',
    causeCode: 'UND_ERR_SOCKET',
  },
  {
    name: 'another protocol, which nobody asked for',
    script: (socket) =>
      void socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    kind: 'unusable',
    causeCode: 'UND_ERR_SOCKET',
  },
  {
    name: 'a length and chunks at once',
    script: (socket) =>
      void socket.write(`${head}content-length: 9\r\ntransfer-encoding: chunked\r\n\r\n`),
    kind: 'unusable',
    causeCode: 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  },
  {
    name: 'endless headers',
    script: (socket) => void socket.write(`${head}x-long: ${'x'.repeat(100_000)}\r\n`),
    kind: 'unusable',
    causeCode: 'UND_ERR_HEADERS_OVERFLOW',
  },
  {
    name: '100 MB, stated',
    script: (socket) => flood(socket, `${head}content-length: ${100 * 1024 * 1024}\r\n\r\n`),
    kind: 'unusable',
    causeCode: 'ANSWER_TOO_LARGE',
    status: 200,
  },
  {
    name: 'endless, of no stated length',
    script: (socket) => flood(socket, `${head}connection: close\r\n\r\n`),
    kind: 'unusable',
    causeCode: 'ANSWER_TOO_LARGE',
    status: 200,
  },
  {
    name: 'a gzip bomb',
    script: (socket) => {
      const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.write(bomb);
    },
    kind: 'unusable',
    causeCode: 'ANSWER_ENCODED',
    status: 200,
  },
  {
    name: 'a drip without end',
    script: (socket, cut) => {
      socket.write(`${head}content-length: 1000\r\n\r\n`);
      let bytes = 0;
      drip(socket, () => {
        bytes += 1;
        if (bytes === 5) cut();
        return '.';
      });
    },
    kind: 'aborted',
    causeCode: 'ABORTED',
    status: 200,
  },
];

describe('after the request was sent', () => {
  it.each(faults)('$name: $kind, and it counts as sent', async (fault) => {
    const controller = new AbortController();
    const cut = () => controller.abort();
    const server = await openServer((socket) => fault.script(socket, cut));

    const failure = await failureOf(sendTo(server.url, controller.signal));

    const { kind, causeCode } = fault;
    expect(failure).toMatchObject({ kind, causeCode, wasSent: true });
    expect(failure.answer?.status).toBe(fault.status);
    expect(server.requests).toHaveLength(1);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    // The client's end of it is closed too: nothing stays open, and nothing is read.
    await server.noConnections();
  });
});

describe('before the request was sent', () => {
  it('is rejected', async () => {
    const failure = await failureOf(sendTo(`http://127.0.0.1:${await unusedPort()}`));
    expect(failure).toMatchObject({ kind: 'lost', wasSent: false, causeCode: 'ECONNREFUSED' });
  });

  it('has a name that does not resolve', async () => {
    // A label of 64 characters is never a name, so no name server is queried.
    const failure = await failureOf(sendTo(`http://${'x'.repeat(64)}.invalid`));
    expect(failure).toMatchObject({ kind: 'lost', wasSent: false, causeCode: 'ENOTFOUND' });
  });

  it('gets plain text where TLS was expected', async () => {
    const server = await openServer(unasked, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    const failure = await failureOf(sendTo(server.url.replace('http:', 'https:')));
    expect(failure).toMatchObject({ kind: 'lost', wasSent: false });
  });

  it('is canceled while the connection is opened', async () => {
    const controller = new AbortController();
    const server = await openServer(unasked, () => controller.abort());
    const url = server.url.replace('http:', 'https:');
    const failure = await failureOf(sendTo(url, controller.signal));
    expect(failure).toMatchObject({ kind: 'aborted', wasSent: false });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  it('gives up on a connection that takes too long', async () => {
    const server = await openServer(unasked);
    const url = server.url.replace('http:', 'https:');
    const failure = await failureOf(sendTo(url, new AbortController().signal, { connectMs: 50 }));
    expect(failure).toMatchObject({ wasSent: false, causeCode: 'UND_ERR_CONNECT_TIMEOUT' });
    await server.noConnections();
  });

  it('is canceled before it began', async () => {
    const server = await openServer(unasked);
    const failure = await failureOf(sendTo(server.url, AbortSignal.abort()));
    expect(failure).toMatchObject({ kind: 'aborted', wasSent: false });
    expect(server.accepted()).toBe(0);
  });
});

const unasked = () => {
  throw new Error('no request was to arrive');
};

/** When the client can have read the written bytes. */
function resetLater(socket: Socket) {
  setImmediate(() => socket.resetAndDestroy());
}

function flood(socket: Socket, start: string) {
  const piece = Buffer.alloc(256 * 1024, 'x');
  socket.write(start);
  const write = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', write);
  write();
}

function drip(socket: Socket, next: () => string) {
  const write = () => {
    if (!socket.destroyed) socket.write(next(), () => setImmediate(write));
  };
  write();
}
