import { describe, expect, test } from 'vitest';
import { selectBudget } from '../../src/store/queries/ledger.ts';
import { agentOf, meetTurn } from '../agents/ask.ts';
import { expectBooks, paid, readCalls } from '../support/books.ts';
import { chatOf, meet, meetChat } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { sharedStack } from '../support/shared-stack.ts';

const shared = sharedStack({
  // A prompt such as `{"inputTokens":1,"outputTokens":2}` sets the counts of the response.
  script({ request }) {
    const prompt = request.messages.at(-1)?.texts.join('') ?? '';
    if (!prompt.startsWith('{')) return undefined;
    return { kind: 'answer', text: 'Here you are.', reportedUsage: JSON.parse(prompt) };
  },
});

const noTokens = {
  ...{ inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
  ...{ outputTokens: 0, reasoningTokens: 0 },
};

describe('a response without credible counts is booked at its maximum cost', () => {
  test.each([
    'sim-no-usage',
    'sim-odd-usage',
    'sim-usage-string',
    'sim-usage-negative',
    'sim-usage-huge',
  ])('%s', async (model) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const most = usd(maximumCostPicoUsd(chatOf(model)));
    const answer = await meetChat(stack, app, model);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      text: 'Hello, gateway!',
      usage: noTokens,
      cost: { usd: most, estimated: true },
    });
    const cost = { costUsd: most, estimatedUsd: most };
    const call = { code: 'OK', basis: 'estimated', ...cost, attempts: ['answered'] } as const;
    await expectBooks(stack, app, { calls: [call], billedUsd: '0.000006' });
    const usage = await meet(stack, app, (client) => client.usage());
    expect(usage.body).toMatchObject({
      totals: { ...noTokens, costUsd: most, estimatedUsd: most },
    });
  });
});

describe('a count is accepted up to the input’s maximum and twice the output', () => {
  const prompt = (inputTokens: number, outputTokens: number, maxTokens = 50) => ({
    maxTokens,
    messages: [{ role: 'user', content: JSON.stringify({ inputTokens, outputTokens }) }],
  });
  // Bytes of the body as the client writes it, and 1,024.
  const inputMax =
    Buffer.byteLength(JSON.stringify(chatOf('sim-echo', prompt(1_000, 100)))) + 1_024;

  test.each([
    { inputTokens: inputMax, outputTokens: 100, isBelieved: true },
    { inputTokens: inputMax + 1, outputTokens: 100, isBelieved: false },
    { inputTokens: inputMax, outputTokens: 101, isBelieved: false },
  ])('$inputTokens and $outputTokens', async ({ inputTokens, outputTokens, isBelieved }) => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const asked = prompt(inputTokens, outputTokens);
    const { body } = await meetChat(stack, app, 'sim-echo', asked);
    expect(body).toMatchObject({ cost: { estimated: !isBelieved } });
    expect(await stack.audit()).toMatchObject({ clean: true });
  });

  test('and a cost above its reservation is an overrun, and keeps the audit clean', async () => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const asked = prompt(1, 8_000, 4_000);
    await meetChat(stack, app, 'sim-echo', asked);
    const cost = 150_000n + 8_000n * 600_000n;
    const held = maximumCostPicoUsd(chatOf('sim-echo', asked));
    expect(cost).toBeGreaterThan(held);
    await expectBooks(stack, app, { calls: [paid(usd(cost))], billedUsd: '0.0000069' });
    const budget = await stack.store.read(selectBudget(app, '2026-11-21'));
    expect(budget?.overrun).toBe(cost - held);
    const message = 'call cost exceeded its reservation; full cost booked';
    const line = stack.logLines.findLast((logged) => logged.message === message);
    const fields = { app, model: 'sim-echo', costUsd: usd(cost), heldUsd: usd(held) };
    expect(line).toMatchObject({ level: 'error', fields });
  });
});

test('a platform that reports no tokens for a response is not believed', async () => {
  const { stack, newApp } = shared();
  const app = await newApp();
  const most = usd(maximumCostPicoUsd(chatOf('sim-usage-zero')));
  const answer = await meetChat(stack, app, 'sim-usage-zero');
  expect(answer.body).toMatchObject({ usage: noTokens, cost: { usd: most, estimated: true } });
  const cost = { costUsd: most, estimatedUsd: most };
  const call = { code: 'OK', basis: 'estimated', ...cost, attempts: ['answered'] } as const;
  await expectBooks(stack, app, { calls: [call], billedUsd: '0' });
});

test('the wallet pays bytes by three for parts without counts, the app the rest', async () => {
  const { stack, newApp } = shared();
  const credits = { monthlyGrantPicoUsd: 10n ** 12n, picoUsdPerCredit: 10n ** 10n };
  const app = await newApp({ credits });
  const body = chatOf('sim-no-usage', { userId: 'ada' });
  expect((await meetChat(stack, app, 'sim-no-usage', { userId: 'ada' })).status).toBe(200);
  // "Hello, gateway!" has 15 bytes: the JSON around it is not the user's text.
  const promptTokens = 5n;
  const answerTokens = 5n;
  const [record] = await readCalls(stack.store, app, '2026-11-21');
  expect(record).toMatchObject({
    cost: maximumCostPicoUsd(body),
    walletGrant: promptTokens * 150_000n + answerTokens * 600_000n,
  });
});

test('the input of a tool is a part of the response', async () => {
  const { stack, newApp } = shared();
  const credits = { monthlyGrantPicoUsd: 10n ** 12n, picoUsdPerCredit: 10n ** 10n };
  const app = await newApp({ credits });
  const asked = agentOf('sim-no-usage', { userId: 'ada' });
  const { body } = await meetTurn(stack, app, 'sim-no-usage', { userId: 'ada' });
  expect(body).toMatchObject({ toolCalls: [{ name: 'search' }] });
  const [call] = Object(body).toolCalls;
  const [message] = asked.messages;
  const said = message.content + JSON.stringify(asked.tools);
  const promptTokens = Math.ceil(Buffer.byteLength(said) / 3);
  const answerTokens = Math.ceil((call.name.length + JSON.stringify(call.input).length) / 3);
  const [record] = await readCalls(stack.store, app, '2026-11-21');
  expect(record).toMatchObject({
    basis: 'estimated',
    walletGrant: BigInt(promptTokens) * 150_000n + BigInt(answerTokens) * 600_000n,
  });
});

test('every kind of token has its own price', async () => {
  const { stack, newApp } = shared();
  const app = await newApp();
  const answer = await meetChat(stack, app, 'sim-cached', {
    messages: [{ role: 'user', content: 'x'.repeat(80) }],
  });
  // 40 tokens of input: 20 cached, 10 written to the cache, 10 fresh; 20 of output.
  const cost = 20n * 110_000n + 10n * 1_375_000n + 10n * 1_100_000n + 20n * 6_600_000n;
  expect(answer.body).toMatchObject({
    usage: {
      ...{ inputTokens: 40, cachedInputTokens: 20, cacheWriteInputTokens: 10 },
      ...{ outputTokens: 20, reasoningTokens: 0 },
    },
    cost: { usd: usd(cost), estimated: false },
  });
  await expectBooks(stack, app, { calls: [paid(usd(cost))], billedUsd: usd(cost) });
});

test('thinking is part of the output', async () => {
  const { stack, newApp } = shared();
  const app = await newApp();
  const answer = await meetChat(stack, app, 'sim-reasoning');
  const cost = 24n * 1_100_000n + 68n * 6_600_000n;
  expect(answer.body).toMatchObject({
    usage: { inputTokens: 24, outputTokens: 68, reasoningTokens: 64 },
    cost: { usd: usd(cost) },
  });
  await expectBooks(stack, app, { calls: [paid(usd(cost))], billedUsd: usd(cost) });
});
