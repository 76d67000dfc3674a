import { LlmError } from '@model-gateway/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { findCall } from '../../src/operations/calls/calls.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { chatOf } from '../support/exchange.ts';
import {
  type OpenAiServer,
  openAiKey,
  type Reply,
  startOpenAiServer,
} from '../support/openai-server.ts';
import { startServer, type TestServer } from '../support/server.ts';

// A platform's report is never booked as less, and never as exact if its numbers do not add up.

let platform: OpenAiServer;
let server: TestServer;
beforeAll(async () => {
  platform = await startOpenAiServer();
  server = await startServer({
    yaml: `
company: acme
store: sqlite:./gateway.db
platforms:
  local: { kind: openai-compatible, baseUrl: "${platform.baseUrl}", apiKey: ${openAiKey} }
retry: { attempts: 2, baseMs: 1, capMs: 2 }
plans: { user: { ratePerSecond: 1000, burst: 1000 } }
models:
  - { id: mini, platform: local, inputUsdPerMillion: "1", outputUsdPerMillion: "10", contextTokens: 50000 }
apps:
  - { name: search, dailyBudgetUsd: "500" }
  - { name: retried, dailyBudgetUsd: "500" }
  - { name: tutor, credits: { monthlyGrant: "100000", usdPerCredit: "0.01" } }
`,
  });
});
afterAll(async () => {
  await server.close();
  await platform.close();
});
beforeEach(() => platform.next());

/** One USD per million tokens. */
const usd = (input: number, output: number) =>
  BigInt(input) * 1_000_000n + BigInt(output) * 10_000_000n;

function answering(usage: object, status = 200): Reply {
  const message = { role: 'assistant', content: 'Hi there.' };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  return { status, body: JSON.stringify({ id: 'chatcmpl-1', choices, usage }) };
}

function refusing(status: number, usage: object): Reply {
  const error = { message: 'no', type: 'server_error', code: null };
  return { status, body: JSON.stringify({ error, usage }) };
}

async function call(app = 'search', more: object = {}) {
  const client = await server.client(app);
  return client.chat(chatOf('mini', more)).catch((error: unknown) => {
    if (LlmError.is(error)) return error;
    throw error;
  });
}

async function lastRecord(app = 'search') {
  await expectClean(server);
  const calls = await readCalls(server.store, app, utcDayOf(server.clock.now()));
  const record = calls.at(-1);
  if (record === undefined) throw new Error('a call was recorded');
  return record;
}

describe('reasoning that is counted in addition to the output', () => {
  test('is booked and returned exactly where the details explain the total', async () => {
    const details = { completion_tokens_details: { reasoning_tokens: 80 } };
    platform.next(
      answering({ prompt_tokens: 20, completion_tokens: 90, total_tokens: 190, ...details }),
    );
    expect(await call()).toMatchObject({
      usage: { inputTokens: 20, outputTokens: 170, reasoningTokens: 80 },
      cost: { usd: '0.00172', estimated: false },
    });
    expect(await lastRecord()).toMatchObject({ basis: 'exact', cost: usd(20, 170) });
  });

  test('is booked as output, as an estimate, where nothing explains it', async () => {
    platform.next(answering({ prompt_tokens: 20, completion_tokens: 10, total_tokens: 130 }));
    expect(await call()).toMatchObject({
      usage: { inputTokens: 20, outputTokens: 110 },
      cost: { usd: '0.00112', estimated: true },
    });
    expect(await lastRecord()).toMatchObject({ basis: 'estimated', cost: usd(20, 110) });
  });
});

describe('impossible counts book the larger of the reservation and the reported cost', () => {
  test('far more input than was sent', async () => {
    platform.next(answering({ prompt_tokens: 40_000, completion_tokens: 10 }));
    expect(await call()).toMatchObject({ cost: { usd: '0.0401', estimated: true } });
    const record = await lastRecord();
    expect(record).toMatchObject({ basis: 'estimated', cost: usd(40_000, 10) });
    expect(record.cost).toBeGreaterThan(record.held);
  });

  test('far more output than was requested', async () => {
    platform.next(answering({ prompt_tokens: 20, completion_tokens: 10_000 }));
    await call();
    expect(await lastRecord()).toMatchObject({ basis: 'estimated', cost: usd(20, 10_000) });
  });

  test('no more than the model can read and write', async () => {
    platform.next(answering({ prompt_tokens: 2 ** 52, completion_tokens: 2 ** 52 }));
    await call();
    expect(await lastRecord()).toMatchObject({ cost: usd(50_000, 50_000) });
  });

  test('no less than the reservation', async () => {
    platform.next(answering({ prompt_tokens: 20, completion_tokens: 201 }));
    await call();
    const record = await lastRecord();
    expect(record).toMatchObject({ basis: 'estimated', cost: record.held });
  });

  test('and the wallet pays for the text, at most its reservation', async () => {
    platform.next(answering({ prompt_tokens: 2 ** 52, completion_tokens: 2 ** 52 }));
    await call('tutor', { userId: 'ada' });
    const record = await lastRecord('tutor');
    // "Hello, gateway!" has 15 bytes and "Hi there." 9, at three to a token.
    expect(record).toMatchObject({ walletGrant: usd(5, 3), cost: usd(50_000, 50_000) });
  });
});

describe('an error that reports usage', () => {
  test('is booked with it', async () => {
    platform.next(refusing(400, { prompt_tokens: 20, completion_tokens: 5 }));
    expect(await call()).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await lastRecord()).toMatchObject({ basis: 'exact', cost: usd(20, 5) });
  });

  test('is booked with half of it as an estimate', async () => {
    platform.next(refusing(400, { prompt_tokens: 20 }));
    await call();
    expect(await lastRecord()).toMatchObject({ basis: 'estimated', cost: usd(20, 0) });
  });

  test('is retried only with a second maximum reserved, and both attempts are booked', async () => {
    platform.next(refusing(503, { prompt_tokens: 20, completion_tokens: 5 }));
    expect(await call()).toMatchObject({ text: 'Hi there.' });
    const record = await lastRecord();
    expect(record).toMatchObject({ basis: 'exact', cost: usd(20, 5) + usd(20, 10) });
    expect(record.held % 2n).toBe(0n);
  });

  test('counts in the usage of the day, next to the answered attempt', async () => {
    const client = await server.client('retried');
    platform.next(refusing(503, { prompt_tokens: 20, completion_tokens: 5 }));
    const { id, usage } = await client.chat(chatOf('mini'));
    expect(usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    const sums = { calls: 1, errors: 0, inputTokens: 40, outputTokens: 15 };
    const costUsd = formatUsd(usd(20, 5) + usd(20, 10));
    expect(await client.usage()).toMatchObject({
      totals: { ...sums, costUsd },
      models: [{ model: 'mini', ...sums, costUsd }],
    });
    const shown = await findCall(server.service.admin, id);
    const price = expect.stringMatching(/^[0-9a-f]{16}$/);
    const attempt = { model: 'mini', priceVersion: price, estimated: false };
    expect(shown).toMatchObject({
      ...{ costUsd, usage },
      attempts: [
        { ...attempt, outcome: 'SERVER', status: 503, costUsd: formatUsd(usd(20, 5)) },
        { ...attempt, outcome: 'answered', usage, costUsd: formatUsd(usd(20, 10)) },
      ],
    });
    await expectClean(server);
  });

  test('is free if it reports nothing, or zeros', async () => {
    for (const usage of [{}, { prompt_tokens: 0, completion_tokens: 0 }]) {
      platform.next(refusing(400, usage));
      await call();
      expect(await lastRecord()).toMatchObject({ basis: 'free', cost: 0n });
    }
  });
});

test('the size of a text of combining marks is limited without normalizing it', async () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  const content = 'a\u0300\u0323'.repeat(32_000);
  const answer = await call('search', { messages: [{ role: 'user', content }] });
  expect(normalize).not.toHaveBeenCalled();
  normalize.mockRestore();
  expect(answer).toMatchObject({ text: 'Hi there.' });
});
