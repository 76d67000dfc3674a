import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EstimateReason, estimateReasons } from '../../src/domain/doubt.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import { expectClean, heldBy, readCalls } from '../support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  type SpokenPlatform,
  startSpokenPlatform,
  yamlOfWires,
} from './support/spoken-platform.ts';
import { broken, content, type Json, type Reply, type Wire, wires } from './support/wires.ts';

// The counts, prices and costs that platforms report, under the names of many vendors, and the
// booked cost of the call. Each API format is tested whole and streamed, on both stores.

let postgres: TestPostgres;
let platform: SpokenPlatform;
let server: TestServer;
/** The platform's next response. */
let reply: Reply;

beforeAll(async () => {
  postgres = await startPostgres();
  platform = await startSpokenPlatform(() => reply);
});
afterAll(async () => {
  platform.close();
  await postgres.close();
});

const price =
  'inputUsdPerMillion: "1", cachedInputUsdPerMillion: "0.5", cacheWriteInputUsdPerMillion: "1.25", outputUsdPerMillion: "10", contextTokens: 20000, maxOutputTokens: 1000';

function yamlOf(store: string): string {
  return `${yamlOfWires({ baseUrl: platform.baseUrl, store, price, attempts: 1 })}
  - { id: vectors, kind: embeddings, platform: up, inputUsdPerMillion: "1", contextTokens: 20000 }
apps:
  - { name: search, dailyBudgetUsd: "50", projects: { oa: proj_search1, an: wrkspc_search1 } }
  - { name: tutor, dailyBudgetUsd: "50", credits: { monthlyGrant: "100000", usdPerCredit: "0.01" }, projects: { oa: proj_tutor12, an: wrkspc_tutor12 } }
`;
}

interface How {
  readonly isNative: boolean;
  readonly isStream: boolean;
  readonly app?: string;
  /** 200 by default. */
  readonly status?: number;
}

async function sendOn(wire: Wire, how: How) {
  const { isNative, isStream, app = 'search' } = how;
  const key = await server.key(app);
  const messages = [{ role: 'user', content: 'x'.repeat(1_500) }];
  const more = wire.model === 'responses' ? {} : { messages };
  const stream = isStream ? { stream: true } : {};
  const body = isNative
    ? { model: wire.model, messages, maxTokens: 100, ...(app === 'tutor' ? { userId: 'u1' } : {}) }
    : { model: wire.model, ...more, ...wire.relay.body, ...stream };
  const path = isNative ? `/v1/chat${isStream ? '/stream' : ''}` : wire.relay.path;
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      ...(isNative ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }),
      ...(app === 'tutor' ? { 'x-user-id': 'u1' } : {}),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.status, text).toBe(how.status ?? 200);
  const calls = await readCalls(server.store, app, utcDayOf(server.clock.now()));
  await expectClean(server);
  expect(await heldBy(server.store, app)).toBe(0);
  const last = calls.at(-1);
  if (last === undefined) throw new Error('no call was booked');
  return last;
}

const ways = [true, false].flatMap((isNative) =>
  [false, true].map((isStream) => ({ isNative, isStream })),
);

/** The cost in pico-USD of these tokens: input, cached, cache writes, output. */
function costOf(input: number, cached: number, written: number, output: number): bigint {
  const fresh = BigInt(input - cached - written);
  const parts = BigInt(cached) * 500_000n + BigInt(written) * 1_250_000n;
  return fresh * 1_000_000n + parts + BigInt(output) * 10_000_000n;
}

type Row = readonly [
  what: string,
  usage: Json | undefined,
  top: Json,
  cost: bigint | 'hold',
  reason: EstimateReason | undefined,
];

const counts = { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010 };
const exact = costOf(1_000, 0, 0, 10);

const chatRows: readonly Row[] = [
  ['OpenAI’s counts', counts, {}, exact, undefined],
  ['the names of responses', { input_tokens: 1_000, output_tokens: 10 }, {}, exact, undefined],
  ['two names with one value', { ...counts, input_tokens: 1_000 }, {}, exact, undefined],
  ['a second name with 0', { ...counts, input_tokens: 0, output_tokens: 0 }, {}, exact, undefined],
  [
    ...(['two names with two values', { ...counts, input_tokens: 1_100 }, {}] as const),
    ...([costOf(1_100, 0, 0, 10), 'contradicting-counts'] as const),
  ],
  ['Groq’s place', undefined, { x_groq: { id: 'r', usage: counts } }, exact, undefined],
  ['two places with one usage', counts, { x_groq: { usage: counts } }, exact, undefined],
  [
    ...(['LiteLLM’s cache', { ...counts, cache_creation_input_tokens: 800 }, {}] as const),
    ...([costOf(1_000, 0, 800, 10), undefined] as const),
  ],
  [
    ...([
      'Bifrost’s sum',
      {
        ...counts,
        prompt_tokens_details: {
          cached_tokens: 900,
          cached_read_tokens: 100,
          cached_write_tokens: 800,
        },
      },
      {},
    ] as const),
    ...([costOf(1_000, 100, 800, 10), undefined] as const),
  ],
  ['zeros', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, {}, 'hold', 'no-counts'],
  ['an input of 0', { prompt_tokens: 0, completion_tokens: 10 }, {}, 'hold', 'no-counts'],
  ['an output of 0', { prompt_tokens: 1_000, completion_tokens: 0 }, {}, 'hold', 'no-counts'],
  [
    ...(['sounds', { ...counts, prompt_tokens_details: { audio_tokens: 3 } }, {}] as const),
    ...([exact, 'other-price'] as const),
  ],
  ['an unknown number', { ...counts, moon_tokens: 3 }, {}, exact, 'unknown-number'],
  ['an unknown number at depth', { ...counts, a: [{ b: { c: 3 } }] }, {}, exact, 'unknown-number'],
  ['an unknown fee', { ...counts, moon_fee: 0.5 }, {}, exact, 'unknown-number'],
  ['a time', { ...counts, moon_time: 0.5 }, {}, exact, undefined],
  ['a tier', counts, { service_tier: 'priority' }, exact, 'other-tier'],
  ['a region', { ...counts, inference_geo: 'us' }, {}, exact, 'other-region'],
  ['a cost below ours', { ...counts, cost: 0.0001 }, {}, exact, undefined],
  ['a cost as ours', { ...counts, cost: 0.0011 }, {}, exact, undefined],
  ['a cost above ours', { ...counts, cost: 0.0042 }, {}, 4_200_000_000n, 'reported-cost'],
  [
    ...(['a cost in ticks', { ...counts, cost_in_usd_ticks: 42_000_001 }, {}] as const),
    ...([4_200_000_100n, 'reported-cost'] as const),
  ],
  [
    // 20,000 context tokens at the rate of cache writes, and the requested output.
    ...(['a cost beyond the context', { ...counts, cost: 1e30 }, {}] as const),
    ...([20_000n * 1_250_000n + 100n * 10_000_000n, 'reported-cost'] as const),
  ],
  ['a cost that is none', { ...counts, cost: -1 }, {}, exact, 'unknown-number'],
];

const ownCounts = { input_tokens: 1_000, output_tokens: 10 };
const otherRows: readonly Row[] = [
  ['counts', ownCounts, {}, exact, undefined],
  ['zeros', { input_tokens: 0, output_tokens: 0 }, {}, 'hold', 'no-counts'],
  ['an unknown number', { ...ownCounts, moon_tokens: 3 }, {}, exact, 'unknown-number'],
  ['a region', { ...ownCounts, inference_geo: 'us' }, {}, exact, 'other-region'],
  ['a cost above ours', { ...ownCounts, cost: 0.0042 }, {}, 4_200_000_000n, 'reported-cost'],
];

describe.each(['sqlite', 'postgres'])('on %s', (store) => {
  beforeAll(async () => {
    const url = store === 'sqlite' ? 'sqlite:./gateway.db' : await postgres.database();
    server = await startServer({ yaml: yamlOf(url) });
  });
  afterAll(() => server.close());

  const each = Object.entries(wires).flatMap(([name, wire]) =>
    (name === 'chat' ? chatRows : otherRows).flatMap((row) =>
      ways.map((way) => [name, way, row[0], wire, row] as const),
    ),
  );
  test.each(each)('%s, %j: %s', async (_name, way, _what, wire, [, usage, top, cost, reason]) => {
    reply = wire.answer(usage, top);
    const call = await sendOn(wire, way);
    expect(call.cost).toBe(cost === 'hold' ? call.held : cost);
    expect(call.estimateReason).toBe(reason);
    expect(call.basis).toBe(reason === undefined ? 'exact' : 'estimated');
    const receipt = await readReceipt(server.service.admin, call.callId);
    expect(receipt.remarks).toEqual(
      reason === undefined ? [] : [`its cost is an estimate: ${estimateReasons[reason]}`],
    );
  });

  const inputs = { chat: 'prompt_tokens', responses: 'input_tokens', messages: 'input_tokens' };
  const wrongs = Object.entries(wires).flatMap(([name, wire]) =>
    [...Object.keys(broken), 'a count twice'].flatMap((wrong) =>
      ways.map((way) => [name, way, wrong, wire] as const),
    ),
  );
  test.each(store === 'sqlite' ? wrongs : [])('%s, %j, with %s', async (name, way, wrong, wire) => {
    const input = Object.entries(inputs).find(([wireName]) => wireName === name)?.[1] ?? '';
    const given: Json =
      name === 'chat' ? { prompt_tokens: 1_000, completion_tokens: 10 } : ownCounts;
    const usage = broken[wrong]?.(given, input) ?? given;
    const { whole, events } = wire.answer(usage, {});
    const twice = (value: Json | string) =>
      JSON.stringify(value).replace(`"${input}":1000`, `"${input}":1000,"${input}":2`);
    const isTwice = wrong === 'a count twice';
    const texts = events.map((event) => (typeof event === 'string' ? event : twice(event)));
    reply = isTwice ? { whole: twice(whole), events: texts } : { whole, events };
    const call = await sendOn(wire, way);
    expect(call.basis).toBe('estimated');
    expect(call.cost).toBeGreaterThanOrEqual(exact);
  });

  test.each([false, true])(
    'a wallet pays at most its reservation, streamed: %s',
    async (isStream) => {
      reply = wires.chat?.answer({ ...counts, cost: 0.02 }, {}) ?? reply;
      const wire = wires.chat;
      if (wire === undefined) throw new Error('there is a wire');
      const call = await sendOn(wire, { isNative: true, isStream, app: 'tutor' });
      expect(call).toMatchObject({ cost: 20_000_000_000n, estimateReason: 'reported-cost' });
      expect(call.held).toBeLessThan(call.cost);
      expect(call.walletGrant + call.walletTopup).toBe(call.held);
    },
  );

  test('a cost that a rejection reports is booked', async () => {
    const [wire, error] = [wires.chat, { code: 400, message: 'no' }];
    if (wire === undefined) throw new Error('there is a wire');
    reply = { whole: { error, usage: { cost: 0.0042 } }, events: [] };
    const call = await sendOn(wire, { isNative: true, isStream: false, status: 400 });
    expect(call).toMatchObject({ cost: 4_200_000_000n, estimateReason: 'reported-cost' });
  });

  test('Moonshot’s place, and zeros after true counts, are read in a stream', async () => {
    const wire = wires.chat;
    if (wire === undefined) throw new Error('there is a wire');
    const delta = { index: 0, delta: { content }, finish_reason: null };
    const last = { index: 0, delta: {}, finish_reason: 'stop', usage: counts };
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    reply = {
      whole: {},
      events: [{ choices: [delta] }, { choices: [last] }, { choices: [], usage: zeros }, '[DONE]'],
    };
    for (const isNative of [true, false]) {
      const call = await sendOn(wire, { isNative, isStream: true });
      expect(call).toMatchObject({ cost: exact, basis: 'exact' });
    }
  });

  test('embeddings can have no output, and a filtered response can cost nothing', async () => {
    const key = await server.key('search');
    const post = (path: string, body: Json) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify(body),
      });
    const data = [{ index: 0, embedding: [1, 0] }];
    reply = { whole: { data, usage: { prompt_tokens: 7, total_tokens: 7 } }, events: [] };
    const embedded = await post('/v1/embeddings', { model: 'vectors', input: ['x'.repeat(50)] });
    expect(embedded.status, await embedded.text()).toBe(200);
    const [message, zeros] = [{ content: '' }, { prompt_tokens: 0, completion_tokens: 0 }];
    const choices = [{ index: 0, message, finish_reason: 'content_filter' }];
    reply = { whole: { choices, usage: zeros }, events: [] };
    await post('/v1/chat', {
      ...{ model: 'chat', maxTokens: 100, messages: [{ role: 'user', content: 'x' }] },
    }).then((response) => response.text());
    const calls = await readCalls(server.store, 'search', utcDayOf(server.clock.now()));
    expect(calls.slice(-2)).toMatchObject([
      { cost: 7_000_000n, basis: 'exact' },
      { cost: 0n, basis: 'exact' },
    ]);
    await expectClean(server);
  });

  test('other prices are counted by platform and field, and logged once', async () => {
    const lines = server.logLines.filter(({ fields }) => fields.field === 'usage.moon_tokens');
    expect(lines.map(({ fields }) => fields.platform).toSorted()).toEqual(['an', 'oa', 'up']);
    const page = await server.service.monitor.pages['/metrics']?.('');
    const text = String(page?.text);
    expect(text).toMatch(
      /^model_gateway_price_mismatch_total\{platform="up",field="usage.moon_tokens"\} 4$/m,
    );
    expect(text).not.toContain('field="usage.moon_time"');
  });
});
