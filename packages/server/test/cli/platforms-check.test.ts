import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { startServed } from '../support/process.ts';
import { type Desk, openDesk } from './support/desk.ts';

/** A server that accepts one key, has one model, and counts its requests. */
const asked: string[] = [];
const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));

async function answer(incoming: IncomingMessage, outgoing: ServerResponse) {
  for await (const _chunk of incoming);
  const { method, url, headers } = incoming;
  asked.push(`${method} ${url}`);
  const reply = (status: number, body: unknown) => {
    outgoing.writeHead(status, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify(body));
  };
  const error = (status: number) => reply(status, { error: { code: 'x', message: 'no' } });
  if (headers.authorization === 'Bearer wrong-key') return error(401);
  if (headers.authorization === 'Bearer poor-key') return error(403);
  if (url === '/v1/models') return reply(200, { object: 'list', data: [{ id: 'tiny-1' }] });
  if (url !== '/v1/chat/completions') return error(404);
  const message = { role: 'assistant', content: 'Hello.' };
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
  reply(200, { choices: [{ message, finish_reason: 'stop' }], usage });
}

let base: string;
let desk: Desk;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  desk = await openDesk({
    yaml: `
company: acme
listen: { port: 0 }
admin: { port: 0 }
store: sqlite:./gateway.db
platforms:
  good: { kind: openai-compatible, baseUrl: "${base}/v1", apiKey: right-key }
  wrong: { kind: openai-compatible, baseUrl: "${base}/v1", apiKey: wrong-key }
  poor: { kind: openai-compatible, baseUrl: "${base}/v1", apiKey: poor-key }
  short: { kind: openai-compatible, baseUrl: "${base}", apiKey: right-key }
  away: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1", apiKey: right-key }
  sandbox: { kind: simulator }
models:
  - { id: tiny, platform: good, upstreamModel: tiny-1, inputUsdPerMillion: "1", outputUsdPerMillion: "2" }
  - { id: ended, platform: good, inputUsdPerMillion: "0.1", outputUsdPerMillion: "0.1", retires: 2026-01-01 }
apps: [{ name: search }]
`,
  });
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await desk.close();
});

const check = (...words: readonly string[]) =>
  desk.run(['platforms', 'check', ...words, '--json', '--config', desk.file]);

describe('platforms check', () => {
  test.each([
    ['good', 'works', 200, null],
    ['sandbox', 'works', 200, null],
    [
      'wrong',
      'unauthorized',
      401,
      /^wrong rejected the credential \(401\); check platforms\.wrong\.apiKey/,
    ],
    ['poor', 'forbidden', 403, /^poor accepted the credential but denied access \(403\)/],
    ['short', 'no-list', 404, /^http:\S+ returned no list of models for short .*ends in \/v1$/],
    ['away', 'unreachable', null, /^no response from away at http:\/\/127.0.0.1:9\/v1: ECONN/],
  ] as const)('finds that %s %s', async (name, state, status, problem) => {
    const { code, out, errors } = await check(name);
    const [found] = JSON.parse(out.join(''));
    expect(found).toMatchObject({ platform: name, state, status });
    if (problem === null) expect(found.problem).toBeNull();
    else expect(found.problem).toMatch(problem);
    expect([code, errors]).toEqual(
      problem === null ? [0, []] : [1, [`platform check failed: ${name}`]],
    );
  });

  test('costs nothing: it only requests the list of models', async () => {
    asked.length = 0;
    await check();
    expect(asked.toSorted()).toEqual(['GET /models', ...Array(3).fill('GET /v1/models')]);
  });

  test('names the models that a platform does not list', async () => {
    const yaml = `
company: acme
platforms: { good: { kind: openai-compatible, baseUrl: "${base}/v1", apiKey: right-key } }
models: [{ id: mine, platform: good, upstreamModel: tiny-2 }]
`;
    const other = await openDesk({ yaml });
    const { code, out } = await other.run(['platforms', 'check', '--config', other.file]);
    await other.close();
    expect(code).toBe(1);
    expect(out.at(-1)).toMatch(/^good does not list mine; check upstreamModel of each/);
  });

  test('with --call makes one small call, and prints its cost', async () => {
    asked.length = 0;
    const { code, out } = await check('good', '--call');
    const [found] = JSON.parse(out.join(''));
    expect(code).toBe(0);
    expect(found.call).toEqual({
      ...{ model: 'tiny', app: null, answered: true, status: 200 },
      ...{ usd: '0.000014', problem: null },
    });
    expect(asked).toEqual(['GET /v1/models', 'POST /v1/chat/completions']);
    // The check is not booked on any app.
    expect(await desk.record(['usage', 'search'])).toMatchObject({ totals: { calls: 0 } });
  });

  test('with --call calls the simulator for the first app that has a project', async () => {
    const { code, out } = await check('sandbox', '--call');
    expect(code).toBe(0);
    expect(JSON.parse(out.join(''))).toMatchObject([
      { state: 'works', call: { model: 'sim-echo', app: 'search', answered: true } },
    ]);
  });

  test('with --call prints why there was none', async () => {
    const { code, out } = await check('wrong', '--call');
    expect(code).toBe(1);
    const [found] = JSON.parse(out.join(''));
    expect(found.call).toMatchObject({ answered: false, problem: expect.stringContaining('add') });
  });

  test('rejects an unknown platform name', async () => {
    expect(await check('nobody')).toMatchObject({
      code: 2,
      errors: [
        expect.stringMatching(/^unknown platform nobody; the configuration has good, wrong/),
      ],
    });
  });
});

test('startup warns in one line per platform once it is ready, and continues', async () => {
  const served = await startServed(['serve', '--config', desk.file], { cwd: desk.folder });
  const warned = () =>
    served
      .log()
      .split('\n')
      .filter((line) => line.includes('"state":'))
      .map((line): { platform: string; level: string } => JSON.parse(line));
  await until(() => warned().length >= 4);
  expect(await served.end('SIGTERM')).toBe(0);
  expect(
    warned()
      .map(({ platform, level }) => `${level} ${platform}`)
      .toSorted(),
  ).toEqual(['away', 'poor', 'short', 'wrong'].map((name) => `warn ${name}`));
});
