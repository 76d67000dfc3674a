import { expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { chatOf, meet } from '../support/exchange.ts';
import { startProxy } from '../support/proxy.ts';
import { openStack } from '../support/stack.ts';
import { startCollector } from './support/collector.ts';

test('spans reach their collector through the proxy of the environment', async () => {
  const collector = await startCollector();
  const port = Number(new URL(collector.url).port);
  const proxy = await startProxy({ targets: new Map([['collector.test:80', port]]) });
  const yaml = `
company: acme
store: sqlite:./gateway.db
tracing: { otlp: "http://collector.test/v1/traces" }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;
  const stack = await openStack({ yaml, environment: { HTTP_PROXY: proxy.url } });
  expect((await meet(stack, 'search', (client) => client.chat(chatOf('sim-echo')))).status).toBe(
    200,
  );
  // Its end sends the waiting spans.
  await stack.close();
  await until(() => collector.spans.length > 0);
  expect(proxy.connectRequests[0]).toMatchObject({ target: 'collector.test:80' });
  await proxy.close();
  await collector.close();
});
