import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { parseUsd } from '../../src/lib/money.ts';
import { findCall } from '../../src/operations/calls/calls.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import { type SpokenPlatform, startSpokenPlatform } from '../calls/support/spoken-platform.ts';
import type { Json, Reply } from '../calls/support/wires.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startServer, type TestServer } from '../support/server.ts';

// Reasoning, images and sound with their own prices: a reported part is booked at its own rate, an
// unreported part at the higher rate.

let postgres: TestPostgres;
let platform: SpokenPlatform;
/** The usage of the next response. */
let usage: Json = {};
let failures = 0;

beforeAll(async () => {
  postgres = await startPostgres();
  platform = await startSpokenPlatform(reply);
});
afterAll(async () => {
  platform.close();
  await postgres.close();
});

function reply(): Reply {
  if (failures > 0) {
    failures -= 1;
    return { whole: { error: { message: 'busy' } }, events: [], status: 503 };
  }
  const head = { id: 'answer_1', usage };
  const message = { role: 'assistant', content: 'Hi.' };
  const whole = { ...head, choices: [{ index: 0, message, finish_reason: 'stop' }] };
  const chunk = { index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' };
  return { whole, events: [{ ...head, choices: [chunk] }, '[DONE]'] };
}

const rates = 'inputUsdPerMillion: "2", cachedInputUsdPerMillion: "1", outputUsdPerMillion: "10"';
const reasoning = 'reasoningUsdPerMillion: "30"';
const pictures = 'imageInputUsdPerMillion: "5", imageOutputUsdPerMillion: "40"';
const sound = 'audioInputUsdPerMillion: "20", audioOutputUsdPerMillion: "80"';
const parts = `${reasoning}, ${pictures}, ${sound}`;

const yaml = (store: string) => `
company: acme
store: "${store}"
streaming: true
retry: { attempts: 2, baseMs: 1, capMs: 1 }
platforms:
  any: { kind: openai-compatible, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-any-1234567890 }
  contract: { kind: openai-compatible, baseUrl: "${platform.baseUrl}/v1", apiKey: sk-any-1234567890, priceFactor: "0.5" }
plans: { user: { ratePerSecond: 100000, burst: 100000, requestsPerDay: 1000000 } }
models:
  - { id: plain, platform: any, images: true, ${rates} }
  - { id: thinker, platform: any, images: true, ${rates}, ${reasoning} }
  - { id: cheap, platform: any, ${rates}, reasoningUsdPerMillion: "4" }
  - { id: seer, platform: any, images: true, ${rates}, ${pictures} }
  - { id: all, platform: any, images: true, ${rates}, ${parts}, aboveInputTokens: [{ tokens: 1500, factors: { input: "2", output: "3" } }], tiers: { priority: "2" } }
  - { id: dated, platform: any, images: true, prices: [{ from: 2026-01-01, ${rates}, ${parts} }] }
  - { id: contract, platform: contract, images: true, ${rates}, ${parts} }
apps:
  - name: search
    dailyBudgetUsd: "50"
`;

const input = 1_000;
const output = 100;
const counts = { prompt_tokens: input, completion_tokens: output };
const micro = 1_000_000n;
/** Pico-USD of so many tokens at USD for a million. */
const at = (tokens: number, usd: number) => BigInt(tokens) * BigInt(usd) * micro;

interface Case {
  readonly name: string;
  readonly model: string;
  readonly usage: Json;
  readonly cost: bigint;
  readonly reason?: string;
  readonly lines?: readonly (readonly [kind: string, tokens: number])[];
  readonly withImage?: true;
}

const textInput = ['input', input] as const;
const cases: readonly Case[] = [
  {
    ...{ name: 'reasoning without a price of its own', model: 'plain' },
    usage: { ...counts, completion_tokens_details: { reasoning_tokens: 40 } },
    ...{ cost: at(input, 2) + at(output, 10), lines: [textInput, ['output', output]] },
  },
  {
    ...{ name: 'reasoning', model: 'thinker' },
    usage: { ...counts, completion_tokens_details: { reasoning_tokens: 40 } },
    cost: at(input, 2) + at(60, 10) + at(40, 30),
    lines: [textInput, ['output', 60], ['reasoning', 40]],
  },
  {
    ...{ name: 'no reasoning', model: 'thinker' },
    usage: { ...counts, completion_tokens_details: { reasoning_tokens: 0 } },
    ...{ cost: at(input, 2) + at(output, 10), lines: [textInput, ['output', output]] },
  },
  {
    ...{ name: 'silence about dearer reasoning', model: 'thinker', usage: counts },
    ...{ cost: at(input, 2) + at(output, 30), reason: 'no-counts' },
  },
  {
    ...{ name: 'silence about cheaper reasoning', model: 'cheap', usage: counts },
    ...{ cost: at(input, 2) + at(output, 10), reason: 'no-counts' },
  },
  {
    ...{ name: 'images', model: 'seer', withImage: true },
    usage: { ...counts, prompt_tokens_details: { text_tokens: 700, image_tokens: 300 } },
    cost: at(700, 2) + at(300, 5) + at(output, 10),
    lines: [
      ['input', 700],
      ['imageInput', 300],
      ['output', output],
    ],
  },
  {
    ...{ name: 'silence about images that were sent', model: 'seer', withImage: true },
    usage: { ...counts, prompt_tokens_details: { cached_tokens: 400 } },
    ...{ cost: at(600, 5) + at(400, 1) + at(output, 10), reason: 'no-counts' },
  },
  {
    ...{ name: 'silence about images that were not sent', model: 'seer', usage: counts },
    ...{ cost: at(input, 2) + at(output, 10), lines: [textInput, ['output', output]] },
  },
  {
    ...{ name: 'images next to cached input', model: 'seer', withImage: true },
    usage: { ...counts, prompt_tokens_details: { cached_tokens: 400, image_tokens: 800 } },
    ...{ cost: at(800, 5) + at(200, 1) + at(output, 10), reason: 'other-price' },
  },
  {
    ...{ name: 'images that were made', model: 'seer' },
    usage: { ...counts, completion_tokens_details: { image_tokens: 90 } },
    cost: at(input, 2) + at(10, 10) + at(90, 40),
    lines: [textInput, ['output', 10], ['imageOutput', 90]],
  },
  {
    ...{ name: 'sound without a price', model: 'seer' },
    usage: { ...counts, prompt_tokens_details: { audio_tokens: 90 } },
    ...{ cost: at(input, 2) + at(output, 10), reason: 'other-price' },
  },
  {
    ...{ name: 'all parts', model: 'dated', withImage: true },
    usage: {
      ...counts,
      prompt_tokens_details: { audio_tokens: 100, image_tokens: 300 },
      completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 30, image_tokens: 10 },
    },
    cost: at(600, 2) + at(300, 5) + at(100, 20) + at(40, 10) + at(20, 30) + at(10, 40) + at(30, 80),
    lines: [
      ...([
        ['input', 600],
        ['imageInput', 300],
        ['audioInput', 100],
      ] as const),
      ...([
        ['output', 40],
        ['reasoning', 20],
        ['imageOutput', 10],
        ['audioOutput', 30],
      ] as const),
    ],
  },
  {
    ...{ name: 'the lists of Google', model: 'dated', withImage: true },
    usage: {
      ...counts,
      completion_tokens_details: { reasoning_tokens: 0 },
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 700 },
        { modality: 'IMAGE', tokenCount: 200 },
        { modality: 'AUDIO', tokenCount: 100 },
      ],
      candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: 50 }],
    },
    cost: at(700, 2) + at(200, 5) + at(100, 20) + at(50, 10) + at(50, 80),
  },
  {
    ...{ name: 'a contract', model: 'contract', withImage: true },
    usage: {
      ...counts,
      prompt_tokens_details: { image_tokens: 300 },
      completion_tokens_details: { reasoning_tokens: 20 },
    },
    cost: (at(700, 2) + at(300, 5) + at(80, 10) + at(20, 30)) / 2n,
  },
  {
    ...{ name: 'above a step, in another tier', model: 'all', withImage: true },
    usage: {
      ...{ prompt_tokens: 2_000, completion_tokens: output, service_tier: 'priority' },
      prompt_tokens_details: { image_tokens: 300 },
      completion_tokens_details: { reasoning_tokens: 20 },
    },
    cost: 2n * (2n * (at(1_700, 2) + at(300, 5)) + 3n * (at(80, 10) + at(20, 30))),
  },
  {
    ...{ name: 'parts above their whole', model: 'thinker' },
    usage: {
      ...counts,
      completion_tokens_details: { reasoning_tokens: 80, audio_tokens: 60 },
    },
    // The sound has no price there, and the rest fits.
    ...{ cost: at(input, 2) + at(20, 10) + at(80, 30), reason: 'other-price' },
  },
];

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk' +
  '+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const text = { type: 'text' as const, text: 'x'.repeat(4_000) };
const image = { type: 'image' as const, mediaType: 'image/png' as const, data: pixel };

describe.each(['sqlite', 'postgres'])('on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    const store = kind === 'sqlite' ? 'sqlite:./gateway.db' : await postgres.database();
    server = await startServer({ yaml: yaml(store) });
  });
  afterAll(() => server.close());

  const requestOf = (model: string, withImage = false) => ({
    ...{ model, maxTokens: 200 },
    messages: [{ role: 'user' as const, content: withImage ? [text, image] : [text] }],
  });

  async function lastRecord() {
    const day = utcDayOf(server.clock.now());
    const record = (await readCalls(server.store, 'search', day)).at(-1);
    if (record === undefined) throw new Error('the call is in the books');
    await expectClean(server);
    return record;
  }

  async function linesOf(callId: string) {
    const { lines, matches } = await readReceipt(server.service.admin, callId);
    expect(matches).toBe(true);
    const sum = lines.reduce((all, { usd }) => all + (parseUsd(usd) ?? 0n), 0n);
    return { sum, lines };
  }

  test.each(cases)('$name', async ({ model, cost, reason, lines, withImage, ...given }) => {
    usage = given.usage;
    const client = await server.client('search');
    const response = await client.chat(requestOf(model, withImage));
    expect(response.usage).not.toHaveProperty('parts');
    const record = await lastRecord();
    expect(record).toMatchObject({ cost, basis: reason ? 'estimated' : 'exact' });
    expect(record.estimateReason).toBe(reason);
    const receipt = await linesOf(record.callId);
    expect(receipt.sum).toBe(cost);
    const shown = receipt.lines.map((line) => [line.kind, line.tokens]);
    if (lines !== undefined) expect(shown).toEqual(lines);
  });

  test('streamed', async () => {
    usage = { ...counts, completion_tokens_details: { reasoning_tokens: 40 } };
    const client = await server.client('search');
    const stream = client.chatStream(requestOf('thinker'));
    for await (const _ of stream) {
      // To its end.
    }
    const record = await lastRecord();
    const cost = at(input, 2) + at(60, 10) + at(40, 30);
    expect(record).toMatchObject({ cost, basis: 'exact' });
    expect((await linesOf(record.callId)).lines).toHaveLength(3);
  });

  test('in an attempt that is a row', async () => {
    failures = 1;
    usage = { ...counts, completion_tokens_details: { reasoning_tokens: 40 } };
    const client = await server.client('search');
    await client.chat(requestOf('thinker'));
    const { callId, cost } = await lastRecord();
    const { sum, lines } = await linesOf(callId);
    expect(sum).toBe(cost);
    expect(lines.filter(({ attempt }) => attempt === 2).map((line) => line.kind)).toEqual([
      ...['input', 'output', 'reasoning'],
    ]);
  });

  test('the reservation of a call, and its shown price', async () => {
    const client = await server.client('search');
    const reserved = async (model: string, withImage?: boolean) => {
      const request = requestOf(model, withImage);
      const { maxCostUsd } = await client.quote({ operation: 'chat', request });
      return parseUsd(maxCostUsd ?? '') ?? 0n;
    };
    const aToken = at(1, 2);
    // The output at the rate of reasoning; names differ in length.
    const plain = await reserved('plain');
    expect((await reserved('thinker')) - plain).toBe(at(200, 20) + 2n * aToken);
    // A text that is four letters shorter; its images cost more only if there are any.
    expect((await reserved('seer')) - plain).toBe(at(200, 30) - aToken);
    const shown = { imageInputUsdPerMillion: '5', imageOutputUsdPerMillion: '40' };
    expect((await reserved('seer', true)) - (await reserved('plain', true))).toBeGreaterThan(
      at(20_000, 3),
    );
    const { models } = await client.models();
    expect(models.find(({ id }) => id === 'seer')?.price).toMatchObject(shown);
    expect(models.find(({ id }) => id === 'plain')?.price).not.toHaveProperty('reasoning');
    usage = { ...counts, prompt_tokens_details: { image_tokens: 1 } };
    await client.chat(requestOf('all', true));
    const { callId } = await lastRecord();
    const steps = [{ aboveInputTokens: 1_500, reasoningUsdPerMillion: '90' }];
    const price = { ...shown, reasoningUsdPerMillion: '30', steps };
    expect(await findCall(server.service.admin, callId)).toMatchObject({ price });
  });
});
