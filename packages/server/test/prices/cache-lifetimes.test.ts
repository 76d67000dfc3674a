import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import { type SpokenPlatform, startSpokenPlatform } from '../calls/support/spoken-platform.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';

// A request determines how long its input is cached. Written input is reserved and booked at that
// price, although the response does not report it.

let postgres: TestPostgres;
let platform: SpokenPlatform;
let received: unknown;

beforeAll(async () => {
  postgres = await startPostgres();
  platform = await startSpokenPlatform(({ body }) => {
    received = body;
    return { whole: answer, events: [] };
  });
});
afterAll(async () => {
  platform.close();
  await postgres.close();
});

const content = [{ type: 'output_text', text: 'Hi.', annotations: [] }];
const answer = {
  ...{ id: 'resp_1', object: 'response', status: 'completed', service_tier: 'default' },
  output: [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }],
  usage: {
    ...{ input_tokens: 1_000, output_tokens: 10, total_tokens: 1_010 },
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 800 },
  },
};

const yaml = (store: string) => `
company: acme
store: "${store}"
ingress: { openai: true }
platforms:
  gpt: { kind: openai, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-oa-1234567890 }
models:
  - { id: both, platform: gpt, inputUsdPerMillion: "2", cacheWriteUsdPerMillion: { 30m: "2.5", 12h: "4" }, outputUsdPerMillion: "10" }
  - { id: short, platform: gpt, inputUsdPerMillion: "2", cacheWriteUsdPerMillion: { 30m: "2.5" }, outputUsdPerMillion: "10" }
apps: [{ name: search, dailyBudgetUsd: "50", projects: { gpt: proj_1 } }]
`;

const breakpoint = (ttl: string) => [
  {
    role: 'user',
    content: [
      {
        ...{ type: 'input_text', text: 'x'.repeat(2_000) },
        prompt_cache_breakpoint: { mode: 'explicit', ttl },
      },
    ],
  },
];
const plain = 'x'.repeat(2_000);
/** Pico-USD of the response with the written input at this rate. */
const at = (rate: bigint) => 200n * 2_000_000n + 800n * rate + 10n * 10_000_000n;
const [short, long] = [at(2_500_000n), at(4_000_000n)];

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    const store = kind === 'sqlite' ? 'sqlite:./gateway.db' : await postgres.database();
    server = await startServer({ yaml: yaml(store) });
  });
  afterAll(() => server.close());

  async function post(body: object) {
    const answered = await fetch(`${server.url}/openai/v1/responses`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await server.key('search')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ max_output_tokens: 100, ...body }),
    });
    return { status: answered.status, text: await answered.text() };
  }

  test.each([
    ['no lifetime', { input: plain }, short, 'exact'],
    ['30 minutes', { input: plain, prompt_cache_options: { ttl: '30m' } }, short, 'exact'],
    ['12 hours', { input: plain, prompt_cache_options: { ttl: '12h' } }, long, 'exact'],
    [
      '12 hours for all and again for a part',
      { input: breakpoint('12h'), prompt_cache_options: { mode: 'explicit', ttl: '12h' } },
      ...[long, 'exact'],
    ],
    ['12 hours for a part', { input: breakpoint('12h') }, long, 'estimated'],
    [
      '12 hours for all but a part',
      { input: breakpoint('30m'), prompt_cache_options: { ttl: '12h' } },
      ...[long, 'estimated'],
    ],
  ] as const)('%s', async (_name, body, amount, basis) => {
    expect(await post({ model: 'both', ...body })).toMatchObject({ status: 200 });
    expect(received).toMatchObject(body);
    const call = (await readCalls(server.store, 'search', utcDayOf(server.clock.now()))).at(-1);
    expect(call).toMatchObject({ cost: amount, basis });
    expect(call?.estimateReason).toBe(basis === 'exact' ? undefined : 'cache-lifetime');
    const receipt = await readReceipt(server.service.admin, call?.callId ?? '');
    const kinds = receipt.lines.map(({ kind: of }) => of);
    if (basis === 'exact')
      expect(kinds).toContain(amount === long ? 'cacheWrite1hInput' : 'cacheWriteInput');
    await expectClean(server);
  });

  test('a model without a price for 12 hours is not called with that lifetime', async () => {
    const body = { model: 'short', input: plain, prompt_cache_options: { ttl: '12h' } };
    const { status, text } = await post(body);
    expect(status).toBe(400);
    expect(JSON.parse(text).error).toMatchObject({
      param: 'prompt_cache_options.ttl',
      message: expect.stringContaining('requests a longer cache lifetime'),
    });
    expect(await post({ ...body, prompt_cache_options: { ttl: '1h' } })).toMatchObject({
      ...{ status: 400, text: expect.stringContaining('must be 30m or 12h') },
    });
  });
});
