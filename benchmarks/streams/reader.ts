import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHistogram, type Histogram } from '../load/histogram.ts';
import type { Target } from '../load/job.ts';
import { nowMicros, stampAt, stampBytes, stampMark } from './stamp.ts';

/** The measurements of all readers together. */
export interface StreamsSeen {
  /** From the request to the first delta. */
  readonly firstMs: Histogram;
  /** Between two deltas of one stream. */
  readonly gapMs: Histogram;
  /** From the platform's sending to the reader. */
  readonly delayMs: Histogram;
  /** The same, while all of them run: the last has begun, and none has ended. */
  readonly runningDelayMs: Histogram;
  /** The expected number of streams. */
  readonly count: number;
  deltas: number;
  /** Streams that have had their first delta, and streams that reached their end. */
  begun: number;
  ended: number;
}

export interface Streams {
  readonly seen: StreamsSeen;
  /** Resolves when each has ended. Rejects when a stream ends unexpectedly. */
  readonly all: Promise<void>;
}

/** The target, and the number of deltas of each stream. */
export interface StreamsRequest {
  readonly target: Target;
  readonly deltas: number;
}

/** Opens so many streams of a target, and reads them; each has its own connection. */
export function readStreams(request: StreamsRequest, count: number): Streams {
  const seen: StreamsSeen = {
    ...{ firstMs: createHistogram(), gapMs: createHistogram(), delayMs: createHistogram() },
    runningDelayMs: createHistogram(),
    ...{ count, deltas: 0, begun: 0, ended: 0 },
  };
  return { seen, all: readAll(request, count, seen) };
}

/** The maximum of streams that have not begun: a busy listener queues no more than 511. */
const waitingMax = 400;

async function readAll(request: StreamsRequest, count: number, seen: StreamsSeen): Promise<void> {
  const all: Promise<void>[] = [];
  while (all.length < count) {
    if (all.length - seen.begun < waitingMax) all.push(readOne(request, seen));
    else await sleep(5);
  }
  await Promise.all(all);
}

/** Requests a stream without reading it. */
export function openWithoutReading(target: Target): Socket {
  const socket = openStream(target);
  socket.pause();
  socket.on('error', () => undefined);
  return socket;
}

/** All sockets read into it: each piece is processed before the next read. */
const shared = Buffer.allocUnsafeSlow(65_536);

function openStream(
  { url, path, headers, body }: Target,
  onBytes?: (bytes: Buffer) => void,
): Socket {
  const { hostname, port } = new URL(url);
  const to = { host: hostname, port: Number(port), noDelay: true };
  const callback = (length: number) => {
    onBytes?.(shared.subarray(0, length));
    return true;
  };
  const socket = connect(
    onBytes === undefined ? to : { ...to, onread: { buffer: shared, callback } },
  );
  const lines = Object.entries({
    ...{ host: hostname, 'content-type': 'application/json' },
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket;
}

function readOne({ target, deltas }: StreamsRequest, seen: StreamsSeen): Promise<void> {
  const sentAtMicros = nowMicros();
  let lastAt: number | undefined;
  let remaining = deltas;
  // Usually empty: a stamp, or the end, that arrived in two pieces.
  let tail: Buffer = nothing;
  return new Promise((resolve, reject) => {
    const socket = openStream(target, (piece) => {
      const bytes = tail.length === 0 ? piece : Buffer.concat([tail, piece]);
      tail = nothing;
      if (remaining > 0) readStamps(bytes);
      if (remaining > 0) return;
      if (!isEnd(bytes)) {
        tail = Buffer.from(bytes.subarray(-5));
        return;
      }
      seen.ended += 1;
      socket.removeAllListeners('close').destroy();
      resolve();
    });
    socket.on('error', reject);
    socket.on('close', () =>
      reject(new Error(`a stream was cut, ${remaining} deltas before its end`)),
    );
  });

  /** The last event repeats the whole text: no stamps follow the last delta. */
  function readStamps(bytes: Buffer) {
    const now = nowMicros();
    let at = bytes.indexOf(stampMark);
    for (; at !== -1 && remaining > 0; at = bytes.indexOf(stampMark, at + stampBytes)) {
      if (at + stampBytes > bytes.length) {
        tail = Buffer.from(bytes.subarray(at));
        return;
      }
      remaining -= 1;
      add(now, stampAt(bytes, at));
    }
  }

  function add(now: number, sentAt: number) {
    if (lastAt === undefined) {
      seen.begun += 1;
      seen.firstMs.add((now - sentAtMicros) / 1_000);
    } else seen.gapMs.add((now - lastAt) / 1_000);
    lastAt = now;
    seen.deltas += 1;
    const delayMs = (now - sentAt) / 1_000;
    seen.delayMs.add(delayMs);
    if (seen.begun === seen.count && seen.ended === 0) seen.runningDelayMs.add(delayMs);
  }
}

const nothing = Buffer.alloc(0);

/** The last chunk of a chunked body. */
function isEnd(bytes: Buffer): boolean {
  return bytes.subarray(-5).toString('latin1') === '0\r\n\r\n';
}
