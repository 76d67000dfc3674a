import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatOf, meetChat } from '../support/exchange.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openStack, type Stack } from '../support/stack.ts';
import { scrape } from './support/scrape.ts';

let server: TestPostgres;
let url: string;
let stack: Stack;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.database();
  stack = await openReplica('');
});
afterAll(async () => {
  await stack.close();
  await server.close();
});

function openReplica(more: string): Promise<Stack> {
  const yaml = `
company: acme
store: "${url}"
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
${more}`;
  // In virtual time the server's clock has no meaning.
  return openStack({ yaml });
}

test('PostgreSQL reports money as SQLite does', async () => {
  await meetChat(stack, 'search', 'sim-echo');
  const client = await stack.client('search');
  const running = client.chat(chatOf('sim-slow'));
  await stack.clock.advance(1_000);
  const seen = await scrape(stack);
  expect(seen.value('model_gateway_store_up')).toBe(1);
  expect(seen.value('model_gateway_budget_cap_usd{app="search"}')).toBe(5);
  expect(seen.value('model_gateway_budget_spent_usd{app="search"}')).toBe(0.000006);
  expect(seen.value('model_gateway_open_holds{app="search"}')).toBe(1);
  const held = seen.value('model_gateway_budget_held_usd{app="search"}');
  expect(held).toBeGreaterThan(0);
  expect(seen.value('model_gateway_open_holds_usd{app="search"}')).toBe(held);
  await stack.clock.run(running);
});

test('a replica with a different configuration is counted, and logged as a warning', async () => {
  const other = await openReplica('limits: { drainMs: 50000 }');
  await other.clock.advance(60_000);
  await stack.clock.advance(10_000);
  const seen = await scrape(stack);
  expect(seen.value('model_gateway_replicas')).toBe(2);
  expect(seen.value('model_gateway_config_mismatch')).toBe(1);
  const warnings = stack.logLines.filter(({ message }) => /different configurations/.test(message));
  expect(warnings).toMatchObject([{ level: 'warn' }]);
  await other.close();
  await stack.clock.advance(10_000);
  expect((await scrape(stack)).value('model_gateway_replicas')).toBe(1);
});
