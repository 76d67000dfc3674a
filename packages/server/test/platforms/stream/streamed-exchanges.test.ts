import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../../../harness/until.ts';
import { nextTurn } from '../../../src/lib/clock.ts';
import type { Flow } from '../../../src/platforms/http/flow.ts';
import {
  type AnswerHead,
  type ReadResult,
  refusals,
  type SendOutcome,
} from '../../../src/platforms/http/transport.ts';
import { createTestClock } from '../../support/test-clock.ts';
import {
  answerOf,
  failureOf,
  openServer,
  openTransport,
  releaseAll,
  requestWith,
} from '../support/exchanges.ts';
import { answering } from '../support/scripted-server.ts';

afterEach(releaseAll);

const streamHead =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const lastChunk = '0\r\n\r\n';

/** A test's record of one response. */
interface Followed {
  readonly sent: Promise<SendOutcome>;
  readonly controller: AbortController;
  readonly pieces: string[];
  readonly bytes: () => number;
  readonly flow: () => Flow;
}

interface Following {
  readonly onPiece?: (piece: string, followed: Followed) => ReadResult;
  readonly isStream?: (head: AnswerHead) => boolean;
}

/** Sends to a transport, and reads the response as it arrives. */
function follow(
  transport: ReturnType<typeof openTransport>,
  { onPiece = () => undefined, isStream = () => true }: Following = {},
): Followed {
  const controller = new AbortController();
  const pieces: string[] = [];
  let bytes = 0;
  let given: Flow = { pause: () => undefined, resume: () => undefined };
  const sent = transport.send({
    ...requestWith(controller.signal),
    openReader: (head, flow) => {
      given = flow;
      if (!isStream(head)) return undefined;
      return {
        read(chunk) {
          bytes += chunk.length;
          pieces.push(chunk.toString());
          return onPiece(chunk.toString(), followed);
        },
      };
    },
  });
  const followed = { sent, controller, pieces, bytes: () => bytes, flow: () => given };
  return followed;
}

describe('a stream', () => {
  it('is forwarded piece by piece, and its connection is kept', async () => {
    const sockets: Socket[] = [];
    const server = await openServer((socket) => {
      sockets.push(socket);
      socket.write(streamHead + chunkOf('one'));
    });
    const clock = createTestClock();
    const transport = openTransport({ baseUrl: server.url, clock });
    for (let index = 0; index < 3; index++) {
      const left = ['two', 'three'];
      const followed = follow(transport, {
        // Written only once the previous one was read: nothing waits for the end.
        onPiece() {
          const next = left.shift();
          sockets.at(-1)?.write(next === undefined ? lastChunk : chunkOf(next));
          return undefined;
        },
      });
      const { status, body } = await answerOf(followed.sent);
      expect([status, body.length, followed.pieces]).toEqual([200, 0, ['one', 'two', 'three']]);
      expect(getEventListeners(followed.controller.signal, 'abort')).toEqual([]);
      await clock.advance(2);
    }
    expect(server.accepted()).toBe(1);
  });

  it('may still be collected, by its head', async () => {
    const server = await openServer(answering(429, '{"error":1}'));
    const transport = openTransport({ baseUrl: server.url });
    const followed = follow(transport, { isStream: ({ status }) => status === 200 });
    const { status, body } = await answerOf(followed.sent);
    expect([status, body.toString(), followed.pieces]).toEqual([429, '{"error":1}', []]);
  });

  it('may be longer than a collected response', async () => {
    const piece = 'x'.repeat(65_536);
    const server = await openServer((socket) => {
      socket.write(streamHead);
      for (let index = 0; index < 40; index++) socket.write(chunkOf(piece));
      socket.write(lastChunk);
    });
    const transport = openTransport({ baseUrl: server.url, answerBytesMax: 1_000 });
    const followed = follow(transport);
    await answerOf(followed.sent);
    expect(followed.bytes()).toBe(40 * 65_536);
  });

  it('is rejected by its reader, and its connection is not used again', async () => {
    const server = await openServer((socket) => void socket.write(streamHead + chunkOf('one')));
    const transport = openTransport({ baseUrl: server.url });
    const followed = follow(transport, { onPiece: () => refusals.tooLarge });
    const { causeCode, ...failure } = await failureOf(followed.sent);
    expect(failure).toMatchObject({ kind: 'unusable', wasSent: true, answer: { status: 200 } });
    expect(causeCode).toBe('ANSWER_TOO_LARGE');
    await server.noConnections();
  });

  it.each<[string, (socket: Socket, followed: Followed) => void, string]>([
    ['reset', (socket) => void socket.resetAndDestroy(), 'lost'],
    ['closed', (socket) => void socket.end(), 'lost'],
    ['cut', (_, { controller }) => controller.abort(), 'aborted'],
    [
      'reset while it is held back',
      (socket, followed) => {
        followed.flow().pause();
        socket.resetAndDestroy();
      },
      'lost',
    ],
    [
      'cut while it is held back',
      ({ destroyed }, followed) => {
        followed.flow().pause();
        if (!destroyed) setImmediate(() => followed.controller.abort());
      },
      'aborted',
    ],
  ])('%s within is a failure that was sent', async (_, fault, kind) => {
    const sockets: Socket[] = [];
    const server = await openServer((socket) => {
      sockets.push(socket);
      socket.write(streamHead + chunkOf('one'));
    });
    const transport = openTransport({ baseUrl: server.url });
    const followed = follow(transport, {
      onPiece(_piece, mine) {
        for (const socket of sockets) fault(socket, mine);
        return undefined;
      },
    });
    const failure = await failureOf(followed.sent);
    expect(failure).toMatchObject({ kind, wasSent: true, answer: { status: 200 } });
    expect(followed.pieces).toEqual(['one']);
    expect(getEventListeners(followed.controller.signal, 'abort')).toEqual([]);
    await server.noConnections();
  });
});

describe('the last event', () => {
  it('is the end, whether or not the response has ended', async () => {
    const sockets: Socket[] = [];
    const server = await openServer((socket) => {
      sockets.push(socket);
      socket.write(streamHead + chunkOf('one'));
    });
    const clock = createTestClock();
    const transport = openTransport({ baseUrl: server.url, clock });
    const first = follow(transport, { onPiece: () => 'end' });
    await answerOf(first.sent);
    // A late cancellation does no harm, nor do later bytes.
    first.controller.abort();
    first.flow().pause();
    sockets[0]?.write(chunkOf('two') + lastChunk);
    await until(() => server.accepted() === 1);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    await clock.advance(2);
    await answerOf(follow(transport, { onPiece: () => 'end' }).sent);
    expect([server.accepted(), first.pieces]).toEqual([1, ['one']]);
  });

  it('is followed by the response’s end in a second, or the connection is closed', async () => {
    const server = await openServer((socket) => void socket.write(streamHead + chunkOf('one')));
    const clock = createTestClock();
    const transport = openTransport({ baseUrl: server.url, clock });
    await answerOf(follow(transport, { onPiece: () => 'end' }).sent);
    await clock.advance(999);
    expect(server.open()).toBe(1);
    await clock.advance(1);
    await server.noConnections();
  });

  it('is not followed by more than 64 KiB', async () => {
    const server = await openServer((socket) => {
      socket.write(streamHead + chunkOf('one'));
      for (let index = 0; index < 20; index++) socket.write(chunkOf('x'.repeat(16_384)));
    });
    const transport = openTransport({ baseUrl: server.url, clock: createTestClock() });
    await answerOf(follow(transport, { onPiece: () => 'end' }).sent);
    await server.noConnections();
  });
});

describe('the bytes of one read', () => {
  const large = 'x'.repeat(262_144);

  it('are 8 KiB of a stream, however much has arrived', async () => {
    const server = await openServer((socket) => {
      socket.write(streamHead + chunkOf(large) + lastChunk);
    });
    const transport = openTransport({ baseUrl: server.url });
    const followed = follow(transport);
    await answerOf(followed.sent);
    expect(followed.pieces.join('')).toBe(large);
    const longest = Math.max(...followed.pieces.map(({ length }) => length));
    expect(longest).toBeLessThanOrEqual(8_192);
  });

  it('are more of other responses: they have their own connections', async () => {
    const server = await openServer((socket) => {
      socket.write(streamHead + chunkOf(large) + lastChunk);
    });
    const clock = createTestClock();
    const transport = openTransport({ baseUrl: server.url, clock });
    const whole = () => answerOf(transport.send(requestWith(new AbortController().signal)));
    for (const send of [whole, () => follow(transport).sent, whole]) {
      await send();
      await clock.advance(2);
    }
    expect((await whole()).body.toString()).toBe(large);
    expect(server.accepted()).toBe(2);
  });
});

describe('a paused stream', () => {
  it('is not read, and continues from there', async () => {
    const piece = 'x'.repeat(65_536);
    const pieces = 1_000;
    let written = 0;
    const server = await openServer((socket) => {
      socket.write(streamHead);
      const write = () => {
        while (written < pieces && socket.write(chunkOf(piece))) written += 1;
        if (written === pieces) socket.write(lastChunk);
        else socket.once('drain', write);
        written += 1;
      };
      write();
    });
    const transport = openTransport({ baseUrl: server.url });
    const followed = follow(transport, {
      onPiece(_, { bytes, flow }) {
        if (bytes() < 100_000) flow().pause();
        return undefined;
      },
    });
    for (let before = -1; before !== written; ) {
      before = written;
      for (let turn = 0; turn < 200; turn++) await nextTurn();
    }
    // The platform could only write what the machine's own buffers hold.
    expect(followed.bytes()).toBeLessThanOrEqual(2 * 8_192);
    expect(written).toBeLessThan(pieces);
    const { flow } = followed;
    while (followed.bytes() < 100_000) {
      flow().resume();
      await nextTurn();
    }
    flow().resume();
    flow().resume();
    await answerOf(followed.sent);
    expect(followed.bytes()).toBe(pieces * 65_536);
  });

  it('may be resumed from within another one', async () => {
    const sockets: Socket[] = [];
    const server = await openServer((socket) => {
      sockets.push(socket);
      socket.write(streamHead + chunkOf('one'));
    });
    const transport = openTransport({ baseUrl: server.url });
    const held = follow(transport, {
      onPiece(_, { flow, pieces }) {
        if (pieces.length === 1) flow().pause();
        return undefined;
      },
    });
    await until(() => held.pieces.length > 0);
    sockets[0]?.write(chunkOf('two') + lastChunk);
    const other = follow(transport, {
      onPiece() {
        held.flow().resume();
        return undefined;
      },
    });
    await answerOf(held.sent);
    expect(held.pieces).toEqual(['one', 'two']);
    sockets[1]?.write(lastChunk);
    await answerOf(other.sent);
  });
});

it('a response without a follower is collected as usual', async () => {
  const server = await openServer((socket) => {
    socket.write(streamHead + chunkOf('one') + chunkOf('two') + lastChunk);
  });
  const transport = openTransport({ baseUrl: server.url });
  const { body } = await answerOf(transport.send(requestWith(new AbortController().signal)));
  expect(body.toString()).toBe('onetwo');
});
