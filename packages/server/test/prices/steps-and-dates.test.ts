import { describe, expect, test } from 'vitest';
import { cost } from '../../src/catalog/cost.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { readReceipt } from '../../src/operations/calls/receipt.ts';
import { said } from '../errors-in-200/house.ts';
import { expectClean, readCalls } from '../support/books.ts';
import { sharedOn, storeKinds, withApps } from '../support/shared-stack.ts';
import { openStack } from '../support/stack.ts';

// A call is reserved, booked and explained at the step of its input, and at the price of its
// admission day.

const yaml = (store: string) => `
company: acme
store: "${store}"
platforms:
  sandbox: { kind: simulator }
models:
  - id: gpt-6-sol
    platform: sandbox
    upstreamModel: sim-told
    contextTokens: 1050000
    maxOutputTokens: 100
    prices:
      - from: 2026-09-22
        inputUsdPerMillion: "2"
        cachedInputUsdPerMillion: "0.2"
        outputUsdPerMillion: "10"
        aboveInputTokens:
          - { tokens: 1000, factors: { input: "2", output: "1.5" } }
          - { tokens: 1500, factors: { input: "3", output: "3" } }
      - { from: 2026-12-01, inputUsdPerMillion: "1", outputUsdPerMillion: "5" }
`;

const november = { inputPicoUsd: 2_000_000n, cachedInputPicoUsd: 200_000n };
const rates = { ...november, cacheWriteInputPicoUsd: 2_000_000n, outputPicoUsd: 10_000_000n };
const times = (input: bigint, output: bigint) => ({
  inputPicoUsd: rates.inputPicoUsd * input,
  cachedInputPicoUsd: rates.cachedInputPicoUsd * input,
  cacheWriteInputPicoUsd: rates.cacheWriteInputPicoUsd * input,
  outputPicoUsd: (rates.outputPicoUsd * output) / 10n,
});

/** Tokens of input, and the rates of the whole call. */
const steps = [
  [999, rates],
  [1_000, rates],
  [1_001, times(2n, 15n)],
  [1_500, times(2n, 15n)],
  [1_501, times(3n, 30n)],
] as const;

const startMs = Date.UTC(2026, 10, 30, 23, 50);

describe.each(storeKinds)('%s', (kind) => {
  let inputTokens = 0;
  const house = sharedOn(kind, async (store) =>
    withApps(
      await openStack({
        ...{ yaml: yaml(store), startMs },
        script: () =>
          said({
            id: 'chatcmpl-1',
            choices: [{ message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
            usage: {
              ...{ prompt_tokens: inputTokens, completion_tokens: 7 },
              prompt_tokens_details: { cached_tokens: 100 },
            },
          }),
      }),
    ),
  );

  async function booked(input: number) {
    inputTokens = input;
    const { stack, newApp } = house();
    const app = await newApp();
    const messages = [{ role: 'user', content: 'x'.repeat(1_000) }];
    const chat = { model: 'gpt-6-sol', messages, maxTokens: 100 };
    const quote = await stack.post(app, '/v1/quote', { operation: 'chat', request: chat });
    const { maxCostUsd } = Object(await quote.json());
    const response = await stack.post(app, '/v1/chat', chat);
    expect(response.status).toBe(200);
    const day = utcDayOf(stack.clock.now());
    const [call, ...more] = await readCalls(stack.store, app, day);
    if (call === undefined) throw new Error('the call is in the books');
    expect(more).toEqual([]);
    await expectClean(stack);
    return { call, maxCostUsd, receipt: await readReceipt(stack.admin, call.callId) };
  }

  test.each(steps)('%i tokens of input', async (input, expected) => {
    const { call, maxCostUsd, receipt } = await booked(input);
    const usage = { cachedInputTokens: 100, cacheWriteInputTokens: 0, reasoningTokens: 0 };
    const amount = cost({ ...usage, inputTokens: input, outputTokens: 7 }, expected);
    expect(call).toMatchObject({ basis: 'exact', cost: amount, estimated: 0n });
    expect(Number(maxCostUsd)).toBeGreaterThanOrEqual(Number(formatUsd(amount)));
    expect(receipt.lines).toMatchObject([
      { kind: 'input', tokens: input - 100 },
      { kind: 'cachedInput', tokens: 100 },
      { kind: 'output', tokens: 7 },
    ]);
  });

  test('the price of the next day, and both in the list of models', async () => {
    const { stack, newApp } = house();
    const app = await newApp();
    const listed = async () => {
      const response = await stack.post(app, '/v1/models', undefined, { method: 'GET' });
      const { models } = Object(await response.json());
      return Object(models).find(({ id }: { readonly id: string }) => id === 'gpt-6-sol').price;
    };
    expect(await listed()).toMatchObject({
      inputUsdPerMillion: '2',
      longContext: { fromInputTokens: 1_001, inputUsdPerMillion: '4' },
      steps: [
        { aboveInputTokens: 1_000, outputUsdPerMillion: '15' },
        { aboveInputTokens: 1_500, outputUsdPerMillion: '30' },
      ],
    });
    await stack.clock.advance(11 * 60_000);
    const { call } = await booked(1_501);
    expect(call).toMatchObject({ basis: 'exact', cost: 1_501n * 1_000_000n + 7n * 5_000_000n });
    expect(await listed()).toMatchObject({ inputUsdPerMillion: '1' });
    expect(await listed()).not.toHaveProperty('steps');
  });
});
