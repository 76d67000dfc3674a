import { connect, type Socket } from 'node:net';
import { createHistogram, type Histogram } from '../load/histogram.ts';
import type { Target } from '../load/job.ts';
import { nowMicros, stampsIn } from './stamp.ts';

/** What the readers of some streams have seen, all together. */
export interface StreamsSeen {
  /** From the request to the first delta. */
  readonly firstMs: Histogram;
  /** Between two deltas of one stream. */
  readonly gapMs: Histogram;
  /** From the platform's sending to the reader. */
  readonly delayMs: Histogram;
  deltas: number;
  /** Streams that have had their first delta, and those that came to their end. */
  begun: number;
  ended: number;
}

/** Streams that are being read. */
export interface Streams {
  readonly seen: StreamsSeen;
  /** When each has ended. Rejects when one ends otherwise than it should. */
  readonly all: Promise<void>;
  close(): void;
}

/** Opens so many streams of a target at once, and reads them; each has a connection of its own. */
export function readStreams(target: Target, count: number): Streams {
  const seen: StreamsSeen = {
    ...{ firstMs: createHistogram(), gapMs: createHistogram(), delayMs: createHistogram() },
    ...{ deltas: 0, begun: 0, ended: 0 },
  };
  const sockets: Socket[] = [];
  const all = Promise.all(
    Array.from({ length: count }, () => {
      const socket = ask(target);
      sockets.push(socket);
      return readOne(socket, seen);
    }),
  ).then(() => undefined);
  return { seen, all, close: () => sockets.forEach((socket) => void socket.destroy()) };
}

/** Asks for a stream that nobody reads. */
export function askAndNeverRead(target: Target): Socket {
  const socket = ask(target);
  socket.pause();
  socket.on('error', () => undefined);
  return socket;
}

function ask({ url, path, headers, body }: Target): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const lines = Object.entries({
    ...{ host: hostname, 'content-type': 'application/json' },
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket;
}

function readOne(socket: Socket, seen: StreamsSeen): Promise<void> {
  const askedAt = nowMicros();
  let lastAt: number | undefined;
  let tail = '';
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`a stream was cut after ${tail}`)));
    socket.on('data', (bytes: Buffer) => {
      const at = nowMicros();
      // What ends the stream repeats its whole text: there is no delta in it.
      const text = withoutFinish(tail + bytes.toString('latin1'));
      const cut = text.lastIndexOf('\n');
      for (const sentAt of stampsIn(text.slice(0, cut + 1))) {
        if (lastAt === undefined) {
          seen.begun += 1;
          seen.firstMs.add((at - askedAt) / 1_000);
        } else seen.gapMs.add((at - lastAt) / 1_000);
        lastAt = at;
        seen.deltas += 1;
        seen.delayMs.add((at - sentAt) / 1_000);
      }
      tail = text.slice(cut + 1);
      if (!isEnd(bytes)) return;
      seen.ended += 1;
      socket.removeAllListeners('close').destroy();
      resolve();
    });
  });
}

function withoutFinish(text: string): string {
  const finish = text.indexOf('event: finish');
  return finish === -1 ? text : text.slice(0, finish);
}

/** The last chunk of a body in chunks. */
function isEnd(bytes: Buffer): boolean {
  return bytes.subarray(-5).toString('latin1') === '0\r\n\r\n';
}
