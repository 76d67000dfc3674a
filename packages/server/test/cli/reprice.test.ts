import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Stack } from '../support/stack.ts';
import type { Desk } from './support/desk.ts';
import { openStackAndDesk } from './support/open-stack-and-desk.ts';

const yaml = (models = '') => `
company: acme
store: sqlite:./gateway.db
platforms:
  sandbox: { kind: simulator }
${models}
apps:
  - { name: search, dailyBudgetUsd: "5" }
  - { name: free, unpriced: free }
`;

const priced = `models:
  - { id: sim-unpriced, platform: sandbox, inputUsdPerMillion: "1", outputUsdPerMillion: "10" }`;

let stack: Stack;
let desk: Desk;
beforeEach(async () => {
  ({ stack, desk } = await openStackAndDesk(yaml(), yaml(priced)));
});
afterEach(async () => {
  await desk.close();
  await stack.close();
});

async function chat(app: string, model: string) {
  const client = await stack.client(app);
  const messages = [{ role: 'user', content: 'Hello, gateway!' }] as const;
  return stack.clock.run(client.chat({ model, maxTokens: 100, messages }));
}

const reprice = ['calls', 'reprice', '--yes', '--model', 'sim-unpriced', '--since', '2026-11-21'];

test('calls of a model with a new price are booked with it, once', async () => {
  const first = await chat('search', 'sim-unpriced');
  await chat('free', 'sim-unpriced');
  const other = await chat('search', 'sim-echo');
  // 24 input tokens and 4 output tokens, twice.
  expect(await desk.record(reprice)).toMatchObject({
    ...{ model: 'sim-unpriced', since: '2026-11-21', calls: 2, estimatedCalls: 0 },
    afterUsd: '0.000128',
  });
  expect(await desk.record(['calls', 'show', first.id])).toMatchObject({
    ...{ costUsd: '0.000064', estimatedUsd: '0', basis: 'corrected' },
    price: { inputUsdPerMillion: '1', outputUsdPerMillion: '10' },
  });
  const usage = await desk.record(['usage', 'search']);
  const spentUsd = '0.00007';
  expect(usage).toMatchObject({
    budget: { spentUsd },
    totals: { calls: 2, costUsd: spentUsd, estimatedUsd: '0', unpricedCalls: 0 },
  });
  expect(other.cost.usd).toBe('0.000006');
  expect((await desk.record(['audit'])).clean).toBe(true);
  expect(await desk.record(reprice)).toMatchObject({ calls: 0, beforeUsd: '0', afterUsd: '0' });
});

test('a new price alone changes no record', async () => {
  const { id, cost } = await chat('search', 'sim-unpriced');
  expect(await desk.record(['calls', 'show', id])).toMatchObject({ costUsd: cost.usd });
});

test('earlier days stay as they are', async () => {
  await chat('search', 'sim-unpriced');
  const later = [...reprice.slice(0, -1), '2026-11-22'];
  expect(await desk.record(later)).toMatchObject({ calls: 0 });
});

test('each changed record has a line in the audit log, and the whole has one', async () => {
  const { id, cost } = await chat('search', 'sim-unpriced');
  await desk.record(reprice);
  const lines = await stack.store.read({
    sql: "select action, subject, before_value, after_value from audit_log where action like '%reprice' order by action",
    values: [],
    map: (rows) => rows.map((row) => Object.values(row)),
  });
  expect(lines).toEqual([
    ['call.reprice', id, cost.usd, '0.000064'],
    ['model.reprice', 'sim-unpriced since 2026-11-21', cost.usd, '0.000064'],
  ]);
});

test('a model without a price is rejected, and so is an invalid day', async () => {
  const none = [...reprice.slice(0, 4), 'nobody-knows-it', '--since', '2026-11-21'];
  const refused = await desk.run([...none, '--config', desk.file]);
  expect(refused).toMatchObject({ code: 1, out: [] });
  expect(refused.errors.join()).toContain('the model nobody-knows-it has no price yet');
  const bad = await desk.run([...reprice.slice(0, -1), 'yesterday', '--config', desk.file]);
  expect(bad.code).toBe(2);
});
