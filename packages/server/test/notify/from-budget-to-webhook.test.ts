import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { CompositionError } from '../../src/compose/composition-error.ts';
import { scrape } from '../observe/support/scrape.ts';
import { chatOf, meetChat } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { openStack } from '../support/stack.ts';
import { startReceiver } from './support/receiver.ts';
import { secret } from './support/webhooks.ts';

const yamlOf = (cap: string, more = '') => `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "${cap}" }]
${more}`;

const hookAt = (url: string, more = '') =>
  `notify: [{ name: ops, url: "${url}", secret: ${secret}, allowPrivate: true${more} }]`;

test('a budget that rejects calls is reported within a round, signed, with no prompt', async () => {
  const { received, url } = await startReceiver((response) => response.end());
  const cap = usd(maximumCostPicoUsd(chatOf('sim-echo')));
  const stack = await openStack({ yaml: yamlOf(cap, hookAt(url)) });
  expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
  expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(429);
  await stack.clock.advance(5_000);
  await until(() => received.length > 0);
  await stack.clock.settle();
  const told = received.map(({ headers, body }) => {
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    // In virtual time the signature's timestamp is far from this machine's.
    expect(headers['webhook-timestamp']).toBe(String(Math.floor(stack.clock.now() / 1_000)));
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    expect(texts.length).toBeGreaterThan(0);
    return { type: JSON.parse(body).type, signed, signature: headers['webhook-signature'], body };
  });
  expect(told.map(({ type }) => type)).toContain('budget.refused');
  for (const { signed, signature, body } of told) {
    const [id = '', timestampS = ''] = signed.split('.');
    const date = new Date(Number(timestampS) * 1_000);
    expect(new Webhook(secret).sign(id, date, body)).toBe(signature);
    expect(body).not.toMatch(/Hello|mgk_/);
  }
  const before = received.length;
  await stack.clock.advance(600_000);
  expect(received.filter(({ body }) => body.includes('budget.refused'))).toHaveLength(1);
  expect(received.length).toBeGreaterThanOrEqual(before);
  const { value } = await scrape(stack);
  const delivered = 'model_gateway_webhook_deliveries_total{hook="ops",outcome="delivered"}';
  expect(value(delivered)).toBe(received.length);
  expect(value('model_gateway_webhook_waiting{hook="ops"}')).toBe(0);
  await stack.close();
});

test('without notify nothing is started, and nothing of it is read or written', async () => {
  const asked: string[] = [];
  const stack = await openStack({
    yaml: yamlOf('5'),
    wrapStore: (store) => ({
      ...store,
      read(query) {
        asked.push(query.sql);
        return store.read(query);
      },
      write(statements) {
        asked.push(...statements.map(({ sql }) => sql));
        return store.write(statements);
      },
    }),
  });
  await meetChat(stack, 'search', 'sim-echo');
  await stack.clock.advance(60_000);
  const { names } = await scrape(stack);
  expect(names.filter((name) => name.includes('webhook'))).toEqual([]);
  await stack.close();
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((sql) => /alert|pseudonym|circuit|\blease\b/.test(sql))).toEqual([]);
});

test('a webhook of an app that does not exist is a problem at startup', async () => {
  const yaml = yamlOf('5', hookAt('http://127.0.0.1:9', ', apps: [search, serch]'));
  const opened = openStack({ yaml });
  await expect(opened).rejects.toThrow(CompositionError);
  await expect(opened).rejects.toThrow('notify[0].apps: unknown app "serch"');
});
