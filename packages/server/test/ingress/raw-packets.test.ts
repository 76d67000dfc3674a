import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readUnknownMethod, targetBefore } from '../../src/ingress/http/head.ts';
import { httpOptions } from '../../src/ingress/http/options.ts';
import { exchangeRaw } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';

let clock: TestClock;
let server: TestServer;
let key: string;
beforeAll(async () => {
  clock = createTestClock();
  server = await startServer({ clock });
  key = await server.key('search');
});
afterAll(() => server.close());

const limit = httpOptions.maxHeaderSize;
const foo = 'FOO / HTTP/1.1\r\n';
const tooLarge = [431, '{"message":"Request Header Fields Too Large"}'];
const badRequest = [400, '{"message":"Bad Request"}'];
const forbidden = [403, '{"message":"Forbidden"}'];

async function answerTo(packet: string) {
  const { status, text } = await exchangeRaw(server.port, Buffer.from(packet, 'latin1'));
  return [status, text];
}

/** A whole head of this many bytes; `unit` fills it. */
function headOf(bytes: number, [before, unit, after]: readonly [string, string, string]): string {
  const room = bytes - before.length - after.length;
  return before + unit.repeat(room).slice(0, room) + after;
}

describe('a packet without a key', () => {
  test.each<[string, string, string, string, (string | number)[]]>([
    ['tabs and NUL', `${foo}x:`, '\t', '\0\r\n\r\n', tooLarge],
    ['spaces and NUL', `${foo}x:`, ' ', '\0\r\n\r\n', tooLarge],
    ['a long value', `${foo}host: a\r\nx: `, 'a', '\r\n\r\n', tooLarge],
    ['a long name', `${foo}host: a\r\n`, 'x', ': a\r\n\r\n', tooLarge],
    ['many lines', `${foo}host: a\r\n`, 'a:b\r\n', '\r\n', tooLarge],
    ['a long target', 'FOO /', 'a', ' HTTP/1.1\r\nhost: a\r\n\r\n', tooLarge],
    ['a target without an end', 'FOO /', 'a', '', tooLarge],
    ['a known method with a long value', 'GET / HTTP/1.1\r\nx: ', 'a', '\r\n\r\n', tooLarge],
    ['a known method with a long target', 'GET /', 'a', ' HTTP/1.1\r\n\r\n', tooLarge],
    ['no request line', 'x', 'a', '\r\n\r\n', badRequest],
    ['a version that does not exist', 'FOO / HTTP/7.7\r\nx: ', 'a', '\r\n\r\n', badRequest],
    ['a TLS hello', '\x16\x03\x01', '\0', '', badRequest],
  ])('of 60 KB is rejected: %s', async (_name, before, unit, after, answer) => {
    expect(await answerTo(headOf(60_000, [before, unit, after]))).toEqual(answer);
  });

  test('has a head of at most 16 KB', async () => {
    const shape = [`${foo}host: a\r\nx: `, 'a', '\r\n\r\n'] as const;
    expect(await answerTo(headOf(limit, shape))).toEqual(forbidden);
    expect(await answerTo(headOf(limit + 1, shape))).toEqual(tooLarge);
    const body = 'b'.repeat(40_000);
    expect(await answerTo(headOf(limit, shape) + body)).toEqual(forbidden);
  });

  test.each([
    ['blanks before and behind a value', 'x: \t a b \t\r\n', 403],
    ['no value', 'x:\r\n', 403],
    ['blanks in place of a value', 'x: \t \r\n', 403],
    ['a byte above ASCII', 'x: \xff\t\xfe\r\n', 403],
    ['NUL', 'x: a\0\r\n', 400],
    ['NUL behind blanks', 'x: \t \0\r\n', 400],
    ['no colon', 'x\r\n', 400],
    ['a folded line', 'x: a\r\n b\r\n', 400],
  ])('can have a header with %s', async (_name, line, status) => {
    expect((await answerTo(`${foo}host: a\r\n${line}\r\n`))[0]).toBe(status);
  });

  test('is not part of a request with a key', async () => {
    const head = `GET /v1/usage HTTP/1.1\r\nhost: a\r\nx-api-key: ${key}\r\n\r\n`;
    expect((await answerTo(head))[0]).toBe(200);
    expect((await answerTo(head.replace('GET', 'FOO')))[0]).toBe(404);
  });
});

describe('no more of a packet is read than the maximum head', () => {
  /** A packet that counts how many of its bytes are decoded to text. */
  function counting(text: string) {
    const packet = Buffer.from(text, 'latin1');
    let bytes = 0;
    const read = packet.toString.bind(packet);
    packet.toString = (encoding, start, end) => {
      const part = read(encoding, start, end);
      bytes += part.length;
      return part;
    };
    return { packet, bytes: () => bytes };
  }

  test.each([
    ['an unknown method', headOf(4 * limit, [`${foo}x:`, '\t', '\0\r\n\r\n']), 3],
    ['a long method', headOf(4 * limit, ['', 'F', ` / HTTP/1.1\r\n\r\n`]), 3 * limit],
    ['lines of requests', headOf(4 * limit, ['', 'GET / HTTP/\r\n', '']), 2 * limit],
  ])('%s', (_name, text, errorAt) => {
    const { packet, bytes } = counting(text);
    readUnknownMethod(packet, errorAt, limit);
    expect(bytes()).toBeLessThanOrEqual(2 * limit);
    targetBefore(packet, errorAt, limit);
    expect(bytes()).toBeLessThanOrEqual(5 * limit);
  });
});

describe('the log', () => {
  const message = 'requests rejected: malformed or incomplete HTTP';
  const lines = () =>
    server.logLines.filter((line) => line.message === message).map(({ fields }) => fields);

  test('has invalid requests once a second per network, with a count', async () => {
    await clock.advance(2_000);
    const before = lines().length;
    const network = { remote: '127.0.0.0/24' };
    const instance = expect.stringMatching(/^instance_/);
    for (const packet of [
      '\0\0\0\r\n\r\n',
      `${foo}x:\0\r\n\r\n`,
      '\n \n',
      'GET / HTTP/1.1\r\n\r\n',
    ]) {
      expect((await answerTo(packet))[0]).toBe(400);
    }
    expect((await answerTo(headOf(60_000, [`${foo}x:`, '\t', '\0\r\n\r\n'])))[0]).toBe(431);
    expect((await answerTo('FOO /v1/chat HTTP/1.1\r\nhost: a\r\n'))[0]).toBe(404);
    const first = { ...network, refused: 1, status: 400, code: 'BAD_REQUEST', instance };
    expect(lines().slice(before)).toEqual([first]);
    await clock.advance(1_000);
    expect(lines().slice(before)).toEqual([first, { ...network, refused: 5 }]);
    await clock.advance(5_000);
    expect(lines()).toHaveLength(before + 2);
  });
});
