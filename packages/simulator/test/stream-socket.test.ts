import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../harness/until.ts';
import { type ServedSimulator, serveSimulator } from '../src/index.ts';
import { at } from './open.ts';
import {
  deltasOf,
  eventsIn,
  payingHeaders,
  type SurfaceName,
  streamingRequest,
  surfaces,
} from './read-stream.ts';
import { createVirtualClock, settle, type VirtualClock } from './virtual-clock.ts';

const text = 'one two six ten men';

let clock: VirtualClock;
let served: ServedSimulator;
let headers: Readonly<Record<string, string>>;

beforeEach(async () => {
  clock = createVirtualClock();
  served = await serveSimulator({ port: 0, clock });
  headers = payingHeaders(served.simulator.createProject('prod-acme-core-search').id);
});

afterEach(() => served.close());

const calls = () => served.simulator.bill().calls;

/** One request by hand: the socket's data, piece by piece, and its closing error. */
function dial(surface: SurfaceName, order: object) {
  const { path, body } = streamingRequest(surface, { instructions: { text, ...order } });
  const bytes = JSON.stringify(body);
  const { hostname, port } = new URL(served.url);
  const socket = connect(Number(port), hostname);
  const seen: { pieces: string[]; isClosed: boolean; error: string | undefined } = {
    pieces: [],
    isClosed: false,
    error: undefined,
  };
  socket.on('data', (piece) => seen.pieces.push(piece.toString('latin1')));
  socket.on('error', (error) => {
    seen.error = String(at(error, 'code'));
  });
  socket.on('close', () => {
    seen.isClosed = true;
  });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const rest = `host: simulator\r\ncontent-length: ${Buffer.byteLength(bytes)}\r\n`;
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}${rest}\r\n${bytes}`);
  return { socket, seen };
}

/** The chunks of a chunked body, as sent. */
function chunksOf(pieces: readonly string[]): readonly string[] {
  const whole = pieces.join('');
  const chunks: string[] = [];
  let rest = whole.slice(whole.indexOf('\r\n\r\n') + 4);
  while (rest !== '') {
    const length = Number.parseInt(rest, 16);
    const start = rest.indexOf('\r\n') + 2;
    if (length === 0) return chunks;
    chunks.push(rest.slice(start, start + length));
    rest = rest.slice(start + length + 2);
  }
  return chunks;
}

const isWhole = ({ pieces }: { readonly pieces: readonly string[] }) =>
  pieces.at(-1)?.endsWith('0\r\n\r\n') === true;

test.each(surfaces)('%s streams over a socket, each event in a separate piece', async (surface) => {
  const { seen, socket } = dial(surface, {});
  await until(() => isWhole(seen));
  const chunks = chunksOf(seen.pieces);
  expect(chunks.every((chunk) => eventsIn(chunk).length === 1)).toBe(true);
  expect(deltasOf(eventsIn(chunks.join('')))).toEqual(['one', ' two', ' six', ' ten', ' men']);
  expect(seen.pieces.length).toBeGreaterThan(5);
  await until(() => calls()[0]?.answered === true);
  socket.destroy();
});

test.each(surfaces)('an event of %s can come in pieces of 1 byte', async (surface) => {
  const { seen, socket } = dial(surface, { stream: { bytesEach: 1 } });
  await until(() => isWhole(seen));
  const chunks = chunksOf(seen.pieces);
  expect(new Set(chunks.map(({ length }) => length))).toEqual(new Set([1]));
  expect(seen.pieces.length).toBeGreaterThan(chunks.length / 2);
  expect(deltasOf(eventsIn(chunks.join('')))).toHaveLength(5);
  socket.destroy();
});

test('lines can end with CRLF or CR, with comments between', async () => {
  for (const [lineEnd, bytes] of [
    ['crlf', '\r\n'],
    ['cr', '\r'],
  ] as const) {
    const { seen, socket } = dial('messages', { stream: { lineEnd, comments: true } });
    await until(() => isWhole(seen));
    const [first = ''] = chunksOf(seen.pieces);
    const start = `: a comment${bytes}${bytes}event: message_start${bytes}data: {`;
    expect(first.slice(0, start.length)).toBe(start);
    expect(deltasOf(eventsIn(chunksOf(seen.pieces).join('')))).toHaveLength(5);
    socket.destroy();
  }
});

test('two events can come in one piece, and the last by itself', async () => {
  const { seen, socket } = dial('chat', { stream: { eventsEach: 2 } });
  await until(() => isWhole(seen));
  const counts = chunksOf(seen.pieces).map((chunk) => eventsIn(chunk).length);
  expect(counts).toEqual([2, 2, 2, 2, 1]);
  socket.destroy();
});

test('one event can have 2 MiB', async () => {
  const { seen, socket } = dial('chat', { stream: { large: { after: 2 } } });
  await until(() => isWhole(seen));
  const chunks = chunksOf(seen.pieces);
  const large = chunks.filter(({ length }) => length > 2 * 1024 * 1024);
  expect(large).toHaveLength(1);
  expect(large[0]).toContain(' six');
  expect(deltasOf(eventsIn(chunks.join('')))).toHaveLength(5);
  socket.destroy();
});

test('a break ends the connection within the body, after the sent part', async () => {
  const { seen } = dial('chat', { stream: { stop: { how: 'break', after: 3 } } });
  await until(() => seen.isClosed);
  expect(isWhole(seen)).toBe(false);
  expect(seen.error).toBeUndefined();
  expect(deltasOf(eventsIn(chunksOf(seen.pieces).join('')))).toEqual(['one', ' two', ' six']);
  expect(calls()).toMatchObject([{ outputTokens: 3, answered: false }]);
});

test.each(surfaces)(
  'a client of %s that hangs up is billed for the received part',
  async (surface) => {
    const { seen, socket } = dial(surface, { stream: { gapMs: 100 } });
    await until(() => seen.pieces.length > 0);
    for (const count of [1, 2]) {
      await until(() => clock.pending() === 1);
      await clock.advance(100);
      await until(() => deltasOf(eventsIn(chunksOf(seen.pieces).join(''))).length === count);
    }
    socket.destroy();
    await until(() => calls().length === 1);
    expect(calls()).toMatchObject([{ outputTokens: 2, answered: false }]);
    expect(clock.pending()).toBe(0);
  },
);

test('a client that reads nothing pauses the model', async () => {
  const long = 'x '.repeat(8_000);
  const { seen, socket } = dial('chat', {
    text: long,
    stream: { large: { after: 0, bytes: 8e6 } },
  });
  socket.pause();
  for (let turn = 0; turn < 1_000; turn++) await settle();
  expect(calls()).toHaveLength(0);
  socket.resume();
  await until(() => isWhole(seen));
  await until(() => calls()[0]?.answered === true);
  expect(calls()[0]?.outputTokens).toBe(500);
  socket.destroy();
});

test('the head comes before the first event', async () => {
  const { seen, socket } = dial('responses', { handoverDelayMs: 1_000 });
  await until(() => seen.pieces.length > 0);
  expect(seen.pieces.join('')).toMatch(
    /^HTTP\/1\.1 200 OK\r\n[\s\S]*text\/event-stream[\s\S]*\r\n\r\n$/,
  );
  await clock.advance(1_000);
  await until(() => isWhole(seen));
  socket.destroy();
});
