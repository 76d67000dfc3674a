import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { serveSimulator } from '@model-gateway/simulator';
import { afterEach, describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { type Desk, openDesk } from '../cli/support/desk.ts';

const adminApiKey = 'an-admin-key-that-stands-in-no-log';
const kinds = ['openai', 'anthropic'] as const;
type Kind = (typeof kinds)[number];

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface ReceivedRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A platform on a socket. `answer` gets the number of the request, from 0. */
async function serve(answer: (response: ServerResponse, n: number, url: string) => void) {
  const requests: ReceivedRequest[] = [];
  const server: Server = createServer((request, response) => {
    const { url = '', headers } = request;
    requests.push({ url, headers });
    answer(response, requests.length - 1, url);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { asked: requests, url: `http://127.0.0.1:${port}` };
}

async function deskFor(kind: Kind, url: string, clock: Clock = systemClock): Promise<Desk> {
  // OpenAI's base URL contains the version, Anthropic's does not.
  const baseUrl = kind === 'openai' ? `${url}/v1` : url;
  const desk = await openDesk({
    clock,
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms:
  far: { kind: ${kind}, baseUrl: "${baseUrl}", apiKey: an-api-key, adminApiKey: ${adminApiKey} }
apps: [{ name: search }]
`,
  });
  closers.unshift(() => desk.close());
  return desk;
}

const fetching = ['reconcile', 'fetch', '--platform', 'far', '--from', '2026-11-20'];

/** Fetches two days. No output contains the key. */
async function fetchDays(desk: Desk, more: readonly string[] = []) {
  const words = [...fetching, '--to', '2026-11-21', '--config', desk.file, ...more];
  const result = await desk.run(words);
  expect([...result.out, ...result.errors].join('\n')).not.toContain(adminApiKey);
  return result;
}

async function fetchRefused(desk: Desk): Promise<string> {
  const { code, errors } = await fetchDays(desk);
  expect(code).toBe(1);
  const shown = ['reconcile', 'show', '--month', '2026-11', '--json', '--config', desk.file];
  expect((await desk.run(shown)).out).toEqual(['[]']);
  expect((await desk.run(['log', 'list', '--json', '--config', desk.file])).out.join()).not.toMatch(
    /invoice|an-admin-key/,
  );
  return errors.join('\n');
}

const pages: Readonly<Record<Kind, (day: number, next: string | null) => string>> = {
  openai: (day, next) =>
    JSON.stringify({
      ...{ object: 'page', has_more: next !== null, next_page: next },
      data: [
        {
          ...{ object: 'bucket', start_time: secondsOf(day), end_time: secondsOf(day + 1) },
          results: [
            {
              amount: { value: '0.000000000001', currency: 'usd' },
              ...{ line_item: 'gpt-5.6-luna, input', project_id: 'proj_1', quantity: 1 },
            },
          ],
        },
      ],
    }),
  anthropic: (day, next) =>
    JSON.stringify({
      ...{ has_more: next !== null, next_page: next },
      data: [
        {
          ...{ starting_at: `2026-11-${day}T00:00:00Z`, ending_at: `2026-11-${day + 1}T00:00:00Z` },
          results: [
            {
              ...{ currency: 'USD', amount: '0.0000000001', workspace_id: 'wrkspc_1' },
              ...{ description: 'Input', cost_type: 'tokens', model: 'claude-haiku-4-5' },
              token_type: 'output_tokens',
            },
          ],
        },
      ],
    }),
};

function secondsOf(day: number): number {
  return Date.UTC(2026, 10, day) / 1_000;
}

describe.each(kinds)('%s', (kind) => {
  test('pages follow each other, each requested with the admin key', async () => {
    const { asked: requests, url } = await serve((response, n) =>
      response.end(n === 0 ? pages[kind](20, 'page two&x=1') : pages[kind](21, null)),
    );
    const { code, out } = await fetchDays(await deskFor(kind, url), ['--json']);
    expect([code, JSON.parse(out.join(''))]).toMatchObject([
      0,
      { days: ['2026-11-20', '2026-11-21'], lines: 2, totalUsd: '0.000000000002' },
    ]);
    expect(requests.map((one) => new URL(one.url, url).searchParams.get('page'))).toEqual([
      null,
      'page two&x=1',
    ]);
    const path = { openai: '/v1/organization/costs', anthropic: '/v1/organizations/cost_report' };
    for (const one of requests) {
      expect(new URL(one.url, url).pathname).toBe(path[kind]);
      const { authorization, 'x-api-key': apiKey } = one.headers;
      expect(kind === 'openai' ? authorization : apiKey).toContain(adminApiKey);
    }
  });

  test("the simulator's own page is read, and its next pages are requested", async () => {
    const simulator = await serveSimulator({ port: 0 });
    closers.push(() => simulator.close());
    const desk = await deskFor(kind, simulator.url);
    const words = ['reconcile', 'fetch', '--platform', 'far'];
    const days = ['--from', '2026-01-01', '--to', '2026-11-01'];
    expect(await desk.record([...words, ...days])).toMatchObject({ totalUsd: '0', lines: 0 });
    expect(await desk.records(['reconcile', 'show', '--month', '2026-02'])).toEqual([]);
  });

  const statuses: readonly (readonly [number, Record<string, string>, string])[] = [
    [401, {}, 'status 401; its adminApiKey is wrong or has expired'],
    [403, {}, 'status 403; its adminApiKey is not allowed to read costs'],
    [429, { 'retry-after': '7' }, 'status 429; try again in 7 s'],
    [429, {}, 'status 429'],
    [500, {}, 'status 500'],
    [302, { location: 'http://elsewhere.example/' }, 'status 302'],
  ];
  test.each(statuses)('%i %j changes nothing, and is reported', async (status, headers, words) => {
    const { asked: requests, url } = await serve((response) => {
      response.writeHead(status, headers);
      response.end(`{"error":{"message":"wrong key ${adminApiKey}"}}`);
    });
    expect(await fetchRefused(await deskFor(kind, url))).toContain(words);
    expect(requests).toHaveLength(1);
  });

  const broken: readonly (readonly [string, (response: ServerResponse) => void, string])[] = [
    [
      'half of its JSON',
      (response) => response.end(pages[kind](20, null).slice(0, 90)),
      'is incomplete or invalid JSON',
    ],
    ['a web page', (response) => response.end('<html>'), 'nothing was imported'],
    ['nothing', (response) => response.end(), 'is empty'],
    [
      'a page that repeats',
      (response) => response.end(pages[kind](20, 'again')),
      'the page "again" repeatedly',
    ],
    [
      'a day too many',
      (response) => response.end(pages[kind](25, null)),
      'response also contains 2026-11-25',
    ],
    ['a line that dies', (response) => response.destroy(), 'no response ('],
  ];
  test.each(broken)('%s changes nothing, and is reported', async (_name, answer, words) => {
    const { asked: requests, url } = await serve(answer);
    expect(await fetchRefused(await deskFor(kind, url))).toContain(words);
    expect(requests.length).toBeLessThanOrEqual(2);
  });

  test('a missing response is abandoned after a minute', async () => {
    const { url } = await serve(() => undefined);
    // The minute is over as soon as it has begun.
    const after: Clock['after'] = (delayMs, run) =>
      systemClock.after(delayMs === 60_000 ? 50 : delayMs, run);
    const refused = await fetchRefused(await deskFor(kind, url, { ...systemClock, after }));
    expect(refused).toContain('no response within 60 s');
  });
});
