import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { answered, final, lost, retried, timedOut, unusable } from './expected.ts';
import { type Fault, replying } from './faults.ts';
import type { Met, Misbehaviour } from './platform.ts';

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Faults of names, connections and time. */
export const socketFaults: readonly Fault[] = [
  { name: 'refused', does: always('refused'), comesTo: retried('SERVER') },
  {
    name: 'a name that does not resolve',
    does: always('unknown name'),
    comesTo: retried('SERVER'),
  },
  { name: 'no TLS', does: always('no TLS'), comesTo: retried('SERVER'), isSecure: true },
  {
    name: 'a certificate that nobody trusts',
    does: always('untrusted'),
    comesTo: retried('SERVER'),
    isSecure: true,
  },
  {
    name: 'accepted, then silent',
    does: always(({ lasts }) => void lasts()),
    comesTo: timedOut,
  },
  {
    name: 'reset before the head',
    does: always(({ socket }) => void socket.resetAndDestroy()),
    comesTo: lost,
  },
  {
    name: 'reset after the head',
    does: always(({ socket }) => resetAfter(socket, `${head}content-length: 9\r\n\r\n`)),
    comesTo: lost,
  },
  {
    name: 'reset within the body',
    does: always(({ socket }) => resetAfter(socket, `${head}content-length: 9\r\n\r\n{"a"`)),
    comesTo: lost,
  },
  { name: 'half-closed', does: always(({ socket }) => void socket.end()), comesTo: lost },
  {
    name: 'closed within a chunked body',
    does: always(
      ({ socket }) => void socket.end(`${head}transfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\n`),
    ),
    comesTo: lost,
  },
  {
    name: 'a byte a second',
    does: always((met) => {
      met.socket.write(`${head}x-request-id: up_slow\r\ncontent-length: 1000\r\n\r\n`);
      met.lasts();
      drip(met);
    }),
    comesTo: final({ ...timedOut.always, requestId: 'up_slow' }),
  },
  { name: 'an answer after 25.9 s', does: always(late(25_900)), comesTo: () => inTime },
  { name: 'an answer after 26.1 s', does: always(late(26_100)), comesTo: () => tooLate },
  {
    name: '100 MB, stated',
    does: always(replying(200, 'x', { 'content-length': String(100 * 1024 * 1024) })),
    comesTo: unusable,
  },
  {
    name: '100 MB, of no stated length',
    does: always(({ socket }) => flood(socket, `${head}connection: close\r\n\r\n`)),
    comesTo: unusable,
  },
  {
    name: 'a gzip bomb',
    does: () => {
      const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
      const length = `content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
      return ({ socket }) => {
        socket.write(head + length);
        socket.write(bomb);
      };
    },
    comesTo: unusable,
  },
];

const inTime = { always: answered, once: answered };

/** The holder of the request's key can collect it, so it is paid. */
const tooLate = {
  always: { ...answered, code: 'TIMEOUT' },
  once: { ...answered, code: 'TIMEOUT' },
} as const;

function always(does: Misbehaviour): Fault['does'] {
  return () => does;
}

function late(ms: number): (met: Met) => void {
  return (met) => {
    const over = met.lasts();
    met.clock.after(ms, () => {
      over();
      replying(200, met.answer)(met);
    });
  };
}

/** Continues until the reader has gone. */
function drip({ socket, clock }: Pick<Met, 'socket' | 'clock'>) {
  clock.after(1_000, () => {
    if (socket.destroyed) return;
    socket.write('.');
    drip({ socket, clock });
  });
}

/** Resets once the client can have read the text. */
function resetAfter(socket: Socket, text: string) {
  socket.write(text, () => void setImmediate(() => socket.resetAndDestroy()));
}

function flood(socket: Socket, start: string) {
  const piece = Buffer.alloc(256 * 1024, 'x');
  let left = 100 * 4;
  socket.write(start);
  const write = () => {
    while (!socket.destroyed && left > 0) {
      left -= 1;
      if (!socket.write(piece)) return;
    }
  };
  socket.on('drain', write);
  write();
}
