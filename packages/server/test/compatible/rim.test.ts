import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { openRaw, type RawConnection, requestText } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { createTestClock } from '../support/test-clock.ts';

// Requests that are rejected before they reach a route also get the error format of their path's
// protocol.

const yaml = `
company: acme
store: sqlite:./gateway.db
ingress: { openai: true, anthropic: true }
platforms: { sandbox: { kind: simulator } }
limits: { modelCallMs: 40000, inFlight: 3, bodyBytes: 2000 }
plans: { user: { ratePerSecond: 1000, burst: 1000 } }
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: hasty, plans: { user: { ratePerSecond: 1, burst: 1 } } }
  - { name: daily, plans: { user: { requestsPerDay: 1 } } }
models:
  - { id: claude, platform: sandbox, upstreamModel: sim-echo, pathFamily: anthropic-v1-messages, inputUsdPerMillion: "1", outputUsdPerMillion: "1" }
`;

let server: TestServer;
const keys = { search: '', hasty: '', daily: '' };
beforeAll(async () => {
  server = await startServer({ yaml, clock: createTestClock() });
  for (const app of ['search', 'hasty', 'daily'] as const) keys[app] = await server.key(app);
});
afterAll(() => server.close());

interface Refused {
  readonly name: string;
  readonly status: number;
  readonly openai: string;
  /** `name` by default. */
  readonly anthropic?: string;
  /** OpenAI's name of `name` by default. */
  readonly code?: string;
}

const invalid = 'invalid_request_error';
const malformed: Refused = { name: 'BAD_REQUEST', status: 400, openai: invalid };
const tooLarge: Refused = { name: 'HEADERS_TOO_LARGE', status: 431, openai: invalid };
const noKey: Refused = {
  ...{ name: 'FORBIDDEN', status: 401, openai: invalid, code: 'invalid_api_key' },
  anthropic: 'authentication_error',
};
const tooLong: Refused = {
  ...{ name: 'REQUEST_TOO_LONG', status: 413, openai: invalid, anthropic: 'request_too_large' },
};
const late: Refused = { name: 'REQUEST_TIMEOUT', status: 408, openai: invalid };
const limited = { status: 429, openai: 'rate_limit_error', code: 'rate_limit_exceeded' };
const tooMany: Refused = { ...limited, name: 'TOO_MANY_REQUESTS' };
const missing: Refused = {
  ...{ name: 'NOT_FOUND', status: 404, openai: invalid, code: 'unknown_url' },
  anthropic: 'not_found_error',
};

type App = keyof typeof keys;
const paths = { openai: '/openai/v1/chat/completions', anthropic: '/anthropic/v1/messages' };
const lines = (line: string, ...headers: readonly string[]) =>
  `${[`${line}`, ...headers].join('\r\n')}\r\n\r\n`;
const own = (app: App = 'search') => `x-api-key: ${keys[app]}`;
const length = 'content-length: 9';
const get = (path: string, app: App) => lines(`GET ${path} HTTP/1.1`, 'host: a', own(app));

/** Requests that are rejected before they reach a route, by their fault. */
const rows: readonly (readonly [string, (path: string) => string, Refused])[] = [
  ['no host', (path) => lines(`POST ${path} HTTP/1.1`, own()), malformed],
  ['a bad host', (path) => lines(`POST ${path} HTTP/1.1`, 'host: a b', own()), malformed],
  ['two hosts', (path) => lines(`POST ${path} HTTP/1.1`, 'host: a', 'host: a', own()), malformed],
  ['two keys', (path) => lines(`POST ${path} HTTP/1.1`, 'host: a', own(), own()), malformed],
  [
    'a whole address with two keys',
    (path) => lines(`POST http://a${path}?b=c HTTP/1.1`, 'host: a', own(), own()),
    malformed,
  ],
  [
    'two lines of authorization',
    (path) => {
      const bearer = `authorization: Bearer ${keys.search}`;
      return lines(`POST ${path} HTTP/1.1`, 'host: a', bearer, bearer);
    },
    noKey,
  ],
  ['no key', (path) => lines(`POST ${path} HTTP/1.1`, 'host: a'), noKey],
  [
    'an unknown key',
    (path) => lines(`GET ${path} HTTP/1.1`, 'host: a', 'x-api-key: nobody'),
    noKey,
  ],
  [
    'a coding that is none of bodies',
    (path) => lines(`POST ${path} HTTP/1.1`, 'host: a', own(), 'transfer-encoding: gzip, chunked'),
    malformed,
  ],
  [
    'a body of two lengths',
    (path) =>
      lines(`POST ${path} HTTP/1.1`, 'host: a', own(), length, 'transfer-encoding: chunked'),
    malformed,
  ],
  [
    'a length that is none',
    (path) => lines(`POST ${path} HTTP/1.1`, 'content-length: x'),
    malformed,
  ],
  ['a header that is none', (path) => lines(`POST ${path} HTTP/1.1`, 'host a'), malformed],
  ['another version', (path) => lines(`POST ${path} HTTP/3.0`, 'host: a'), malformed],
  ['blanks in its path', (path) => lines(`POST ${path} b HTTP/1.1`, 'host: a'), malformed],
  [
    'a break in a later request',
    (path) => `${lines('GET /health HTTP/1.1', 'host: a')}${lines(`POST ${path} HTTP/1.1`, 'a b')}`,
    malformed,
  ],
  ['large headers', (path) => lines(`POST ${path} HTTP/1.1`, `a: ${'b'.repeat(20_000)}`), tooLarge],
  ['a long path', (path) => lines(`POST ${path}${'b'.repeat(200_000)} HTTP/1.1`), tooLarge],
  [
    'an expectation',
    (path) => lines(`POST ${path} HTTP/1.1`, 'host: a', own(), 'expect: more'),
    { name: 'EXPECTATION_FAILED', status: 417, openai: invalid },
  ],
  ['an unknown method', (path) => lines(`BREW ${path} HTTP/1.1`, 'host: a', own()), missing],
  ['an unknown method, cut off', (path) => `BREW ${path} HTTP/1.1\r\nhost: a`, missing],
  ['another method', (path) => lines(`DELETE ${path} HTTP/1.1`, 'host: a', own()), missing],
  ['another path', (path) => get(`${path}/more`, 'search'), missing],
  [
    'a body that is announced too long',
    (path) => lines(`POST ${path} HTTP/1.1`, 'host: a', own(), 'content-length: 2001'),
    tooLong,
  ],
  [
    'a body that grows too long',
    (path) =>
      `${lines(`POST ${path} HTTP/1.1`, 'host: a', own(), 'transfer-encoding: chunked')}7d1\r\n${'a'.repeat(2001)}\r\n`,
    tooLong,
  ],
  [
    'a body that breaks off',
    (path) =>
      `${lines(`POST ${path} HTTP/1.1`, 'host: a', own(), 'transfer-encoding: chunked')}zz\r\n`,
    malformed,
  ],
];

describe.each(['openai', 'anthropic'] as const)('below /%s', (protocol) => {
  const path = paths[protocol];

  it.each(rows)('is rejected in its words: %s', async (what, textOf, refused) => {
    const connection = await openRaw(server.port);
    connection.write(textOf(path));
    if (what.includes('later')) await connection.answer();
    await expectRefused(connection, protocol, refused);
  });

  it.each([
    ['its plan’s rate', 'hasty', tooMany],
    ['its requests of a day', 'daily', { ...limited, name: 'LIMIT_EXCEEDED' }],
  ] as const)('is rejected in its words: %s', async (_, app, refused) => {
    const connection = await openRaw(server.port);
    for (let others = 0; others < 2; others++) {
      connection.write(requestText('GET /v1/models', { 'x-api-key': keys[app] }));
      await connection.answer();
    }
    connection.write(get(path, app));
    await expectRefused(connection, protocol, refused);
  });

  it('is rejected in its words: a body that does not arrive', async () => {
    const accepted = once(server.listener, 'connection');
    const connection = await openRaw(server.port);
    const [socket]: Duplex[] = await accepted;
    connection.write(lines(`POST ${path} HTTP/1.1`, 'host: a', own(), length));
    const { concurrency } = server.service;
    await until(() => concurrency.load().requests === 1);
    server.listener.emit('clientError', lateError(), socket);
    await expectRefused(connection, protocol, late);
    await until(() => concurrency.load().requests === 0);
  });

  it('is rejected in its words: no permit, and a response that takes too long', async () => {
    const clock = createTestClock();
    let asked = 0;
    const script = () => {
      asked += 1;
      return { kind: 'silence' } as const;
    };
    const full = await startServer({ yaml, clock, script });
    const { concurrency } = full.service;
    const model = protocol === 'openai' ? 'sim-echo' : 'claude';
    const body = `{"model":"${model}","max_tokens":5,"messages":[{"role":"user","content":"a"}]}`;
    const headers = { 'x-api-key': await full.key('search'), 'content-type': 'application/json' };
    const text = requestText(`POST ${path}`, headers, body);
    const slow = await Promise.all([1, 2, 3].map(() => openRaw(full.port)));
    for (const connection of slow) connection.write(text);
    // The clock can run only once all time limits are set.
    await until(() => asked === 3 && concurrency.load().requests === 3);
    const other = await openRaw(full.port);
    other.write(text);
    await expectRefused(other, protocol, tooMany);
    await clock.advance(30_000);
    const wanted = {
      name: 'GATEWAY_TIMEOUT',
      status: 504,
      openai: 'server_error',
      code: 'timeout',
    };
    for (const connection of slow) {
      await expectRefused(connection, protocol, { ...wanted, anthropic: 'timeout_error' });
    }
    await clock.advance(120_000);
    await full.close();
  });
});

it.each([
  ['a head that does not come', 'POST /openai/v1/chat', 408, 'Request Timeout'],
  ['what is no request', '\u0016\u0003\r\n\r\n', 400, 'Bad Request'],
])('%s has no path: it is rejected in our own words', async (_, text, status, message) => {
  const accepted = once(server.listener, 'connection');
  const connection = await openRaw(server.port);
  const [socket]: Duplex[] = await accepted;
  connection.write(text);
  if (status === 408) server.listener.emit('clientError', lateError(), socket);
  const answer = await connection.answer();
  connection.close();
  expect([answer.status, JSON.parse(answer.text)]).toEqual([status, { message }]);
});

/** Node reports this after some seconds, which a test does not wait for. */
function lateError() {
  return Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
}

async function expectRefused(
  connection: RawConnection,
  protocol: 'openai' | 'anthropic',
  { name, status, openai, anthropic = openai, code = name }: Refused,
) {
  const { headers, text, ...answer } = await connection.answer();
  connection.close();
  const message = expect.stringMatching(/^[A-Z].*\.$/s);
  const expected =
    protocol === 'openai'
      ? { error: { message, type: openai, param: null, code } }
      : {
          ...{ type: 'error', error: { type: anthropic, message } },
          request_id: headers.get('x-request-id'),
        };
  expect(JSON.parse(text), text).toEqual(expected);
  expect(answer.status).toBe(status);
  const challenge = status === 401 ? 'Bearer realm="model-gateway"' : undefined;
  expect(headers.get('www-authenticate')).toBe(challenge);
  expect(Date.parse(headers.get('date') ?? '')).toBeGreaterThan(0);
  expect(headers.get('x-error-code')).toBe(name);
  if (protocol === 'anthropic') {
    expect(headers.get('request-id')).toBe(headers.get('x-request-id'));
  }
}
