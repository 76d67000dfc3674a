import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { chatOf, meetChat } from '../support/exchange.ts';
import { maximumCostPicoUsd, usd } from '../support/maximum-cost.ts';
import { openStack } from '../support/stack.ts';
import { startReceiver } from './support/receiver.ts';
import { secret } from './support/webhooks.ts';

/** The limit from the call that passes a threshold on: a round, and a delivery. */
const toldWithinMs = 15_000;

test('a threshold that a call passes is reported once, within 15 s, and signed', async () => {
  const { received, url } = await startReceiver((response) => response.end());
  const cap = usd(maximumCostPicoUsd(chatOf('sim-echo')));
  const yaml = `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "${cap}" }]
notify: [{ name: ops, url: "${url}", secret: ${secret}, allowPrivate: true, at: [1, 100],
           events: [budget.threshold] }]`;
  const stack = await openStack({ yaml });
  await stack.clock.advance(60_000);
  expect(received).toEqual([]);
  const calledMs = stack.clock.now();
  expect((await meetChat(stack, 'search', 'sim-echo')).status).toBe(200);
  await stack.clock.advance(toldWithinMs - (stack.clock.now() - calledMs));
  await until(() => received.length > 0);
  expect(stack.clock.now() - calledMs).toBeLessThanOrEqual(toldWithinMs);
  const [first] = received;
  const headers: IncomingHttpHeaders = first?.headers ?? {};
  const body = first?.body ?? '';
  const id = String(headers['webhook-id']);
  const date = new Date(Number(headers['webhook-timestamp']) * 1_000);
  expect(new Webhook(secret).sign(id, date, body)).toBe(headers['webhook-signature']);
  expect(JSON.parse(body)).toMatchObject({
    type: 'budget.threshold',
    data: { scope: 'app-day', app: 'search', owner: 'the app search', capUsd: cap, percent: 1 },
  });
  await stack.clock.advance(60_000);
  expect(received).toHaveLength(1);
  await stack.close();
});
