import { expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { startReceiver } from '../notify/support/receiver.ts';
import { secret } from '../notify/support/webhooks.ts';
import { scrape } from '../observe/support/scrape.ts';
import { meetChat } from '../support/exchange.ts';
import { openStack } from '../support/stack.ts';

const callsMax = 200;
const yamlAt = (url: string) => `
company: acme
store: sqlite:./gateway.db
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: ${callsMax}, burst: ${callsMax} } }
apps: [{ name: search }, { name: free, unpriced: free }]
notify: [{ name: ops, url: "${url}", secret: ${secret}, allowPrivate: true, events: [price.unknown] }]`;

test('a misspelled model never raises an alert; a model that used tokens does', async () => {
  const { received, url } = await startReceiver((response) => response.end());
  const stack = await openStack({ yaml: yamlAt(url) });
  const wrong = 'sim-ehco';
  for (let call = 0; call < callsMax; call++) {
    const { status, body } = await meetChat(stack, 'search', wrong);
    if (call === 0) expect([status, body]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
  }
  expect((await meetChat(stack, 'free', wrong)).status).toBe(404);
  await stack.clock.advance(60_000);
  expect(received).toEqual([]);
  const ofModels = () =>
    stack.logLines.filter(({ message }) => message.startsWith('model has no price'));
  expect(ofModels()).toEqual([]);
  const counted = async () => (await scrape(stack)).seriesOf('model_gateway_unpriced_calls_total');
  expect(await counted()).toEqual([]);

  for (const app of ['search', 'free']) {
    expect((await meetChat(stack, app, 'sim-unpriced')).status).toBe(200);
  }
  await until(async () => {
    await stack.clock.advance(5_000);
    return received.length === 2;
  });
  const models = received.map(({ body }) => JSON.parse(body).data.model);
  expect(models).toEqual(['sim-unpriced', 'sim-unpriced']);
  expect(ofModels()).toHaveLength(1);
  expect(await counted()).toHaveLength(2);
  await stack.close();
});
