import { simulatorRows } from '@model-gateway/lab/simulator/rows';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { combineHighestRates } from '../../src/catalog/combine-highest-rates.ts';
import { shippedModels } from '../../src/catalog/models/shipped.ts';
import { namesPerDay } from '../../src/ledger/usage-names.ts';
import { formatUsd, parseUsd } from '../../src/lib/money.ts';
import { expectBooks, paid } from '../support/books.ts';
import { meet, meetChat } from '../support/exchange.ts';
import { expectError } from '../support/expect-answer.ts';
import { onStack } from '../support/on-stack.ts';
import { type OpenAiServer, openAiKey, startOpenAiServer } from '../support/openai-server.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { sharedStack } from '../support/shared-stack.ts';

/** The highest possible cost of a call of 24 tokens of input and 4 of output. */
function dearestUsd(): string {
  const price = combineHighestRates(
    [...shippedModels(), ...simulatorRows()].flatMap(({ prices }) => prices),
  );
  if (price === undefined) throw new Error('models with a price ship');
  return formatUsd(24n * price.inputPicoUsd + 4n * price.outputPicoUsd);
}

describe('by default, a model without a price', () => {
  const shared = sharedStack();

  test('is booked at the highest known rates, as an estimate', async () => {
    const { stack, newApp } = shared();
    const app = await newApp();
    const answer = await meetChat(stack, app, 'sim-unpriced');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      usage: { inputTokens: 24, outputTokens: 4 },
      cost: { usd: dearestUsd(), estimated: true },
    });
    const { body } = await meet(stack, app, (client) => client.usage());
    expect(body).toMatchObject({
      budget: { spentUsd: dearestUsd(), heldUsd: '0' },
      totals: { calls: 1, costUsd: dearestUsd(), estimatedUsd: dearestUsd(), unpricedCalls: 1 },
      models: [{ model: 'sim-unpriced', unpricedCalls: 1 }],
    });
    const estimate = { basis: 'estimated', estimatedUsd: dearestUsd() } as const;
    await expectBooks(stack, app, {
      calls: [{ ...paid(dearestUsd()), ...estimate }],
      billedUsd: '0',
    });
  });

  test('exceeds no budget: it is rejected once its highest maximum does not fit', async () => {
    const { stack, newApp } = shared();
    const app = await newApp({ dailyBudgetPicoUsd: parseUsd('0.01') });
    const refused = await meetChat(stack, app, 'sim-unpriced');
    expectError(refused, {
      status: 429,
      code: 'BUDGET_EXCEEDED',
      says: ['at the highest known rates', 'the model sim-unpriced has no price'],
    });
    expect((await meetChat(stack, app, 'sim-echo')).status).toBe(200);
  });

  test('is not listed with a price', async () => {
    const { stack, newApp } = shared();
    const { body } = await meet(stack, await newApp(), (client) => client.models());
    expect(body).toMatchObject({
      models: expect.arrayContaining([
        expect.objectContaining({ id: 'sim-unpriced', priced: false, price: null }),
      ]),
    });
  });
});

describe('with unpriced: free, a model without a price', () => {
  const shared = sharedStack();

  test('costs null, is counted, and is free to the budget', async () => {
    const { stack, newApp } = shared();
    const app = await newApp({ unpriced: 'free' });
    const answer = await meetChat(stack, app, 'sim-unpriced');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ cost: { usd: null, estimated: false } });
    const { body } = await meet(stack, app, (client) => client.usage());
    expect(body).toMatchObject({
      budget: { spentUsd: '0', heldUsd: '0', remainingUsd: '5' },
      totals: { calls: 1, inputTokens: 24, outputTokens: 4, costUsd: '0', unpricedCalls: 1 },
      models: [{ model: 'sim-unpriced', unpricedCalls: 1 }],
    });
    await expectBooks(stack, app, { calls: [paid('0')], billedUsd: '0' });
  });

  test('is rejected like every other once the budget is used up', async () => {
    const { stack, newApp } = shared();
    const app = await newApp({ dailyBudgetPicoUsd: 0n, unpriced: 'free' });
    const refused = await meetChat(stack, app, 'sim-unpriced');
    expectError(refused, {
      status: 429,
      code: 'BUDGET_EXCEEDED',
      says: ['with $0 spent', 'models without a price are rejected once the budget is used up'],
    });
    await expectBooks(stack, app, { calls: [], billedUsd: '0' });
  });

  test('and until then it is not, though nothing else would fit', async () => {
    const { stack, newApp } = shared();
    const app = await newApp({ dailyBudgetPicoUsd: 1n, unpriced: 'free' });
    expect((await meetChat(stack, app, 'sim-echo', { maxTokens: 1 })).status).toBe(429);
    expect((await meetChat(stack, app, 'sim-unpriced')).status).toBe(200);
  });
});

test(
  'the log warns of each such model once, and of its cost basis',
  onStack(async (stack) => {
    for (let call = 0; call < 3; call++) await meetChat(stack, 'search', 'sim-unpriced');
    const warnings = stack.logLines.filter(({ fields }) => fields.model === 'sim-unpriced');
    const message =
      'model has no price; its calls are booked at the highest rates of its vendor; fill in the prices in the field "row", and add that row to models';
    const prices = 'inputUsdPerMillion: "…", outputUsdPerMillion: "…"';
    const row = `{ id: "sim-unpriced", platform: sandbox, ${prices} }`;
    const warned = warnings.filter(({ level }) => level === 'warn');
    expect(warned).toMatchObject([{ message, fields: { row } }]);
  }),
);

describe('models without a catalog row', () => {
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
plans: { user: { ratePerSecond: 1000, burst: 1000 } }
apps: [{ name: search }, { name: other }, { name: capped, dailyBudgetUsd: "0.001" }]
`,
    });
  });
  afterAll(async () => {
    await server.close();
    await platform.close();
  });

  const call = async (app: string, model: string) => {
    const client = await server.client(app);
    const messages = [{ role: 'user', content: 'Hello!' }] as const;
    return client.chat({ model, maxTokens: 10, messages });
  };

  test('are shown in usage by name, a limited number a day over all apps', async () => {
    const names = Array.from({ length: namesPerDay + 5 }, (_, index) => `unheard-of-${index}`);
    for (const [index, name] of names.entries()) {
      await call(index % 2 === 0 ? 'search' : 'other', name);
    }
    // A name that was shown before is shown again, a new one is not.
    await call('search', 'unheard-of-0');
    const clients = await Promise.all([server.client('search'), server.client('other')]);
    const answers = await Promise.all(clients.map((client) => client.usage()));
    const rows = answers.flatMap(({ models }) => models);
    const named = rows.filter(({ model }) => model !== 'other');
    expect(new Set(named.map(({ model }) => model)).size).toBe(namesPerDay);
    expect(rows.find(({ model }) => model === 'unheard-of-0')?.calls).toBe(2);
    const others = rows.filter(({ model }) => model === 'other');
    expect(others.reduce((sum, { calls }) => sum + calls, 0)).toBe(5);
    expect(rows.every(({ calls, unpricedCalls }) => calls === unpricedCalls)).toBe(true);
  });

  test('do not exceed a budget', async () => {
    await expect(call('capped', 'gpt-of-tomorrow')).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
    });
  });

  test('are counted in metrics without their names', async () => {
    const page = await server.service.monitor.pages['/metrics']?.();
    const metrics = page?.text;
    expect(metrics).toContain('model_gateway_unpriced_calls_total{app="search",model="other"}');
    expect(metrics).not.toContain('unheard-of');
  });
});
