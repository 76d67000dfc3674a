import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { chatOf } from '../support/exchange.ts';
import { startServer } from '../support/server.ts';
import { startCollector } from './support/collector.ts';

const yamlFor = (otlp: string) => `
company: acme
tracing: { otlp: "${otlp}" }
platforms: { sandbox: { kind: simulator } }
plans: { user: { ratePerSecond: 10000, burst: 10000 } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`;

const noAnswer = () => undefined;

/** Failures of a collector, and whether its spans count as dropped. */
const faults: readonly (readonly [string, (response: ServerResponse) => void])[] = [
  ['answers 500', (response) => response.writeHead(500).end('no')],
  ['answers 400', (response) => response.writeHead(400).end('{"message":"no"}')],
  ['answers 404', (response) => response.writeHead(404).end()],
  ['answers 302', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['answers 429', (response) => response.writeHead(429, { 'retry-after': '60' }).end()],
  ['resets', (response) => response.destroy()],
  ['never answers', noAnswer],
  [
    'breaks off its answer',
    (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      response.destroy();
    },
  ],
];

test.each(faults)(
  'a collector that %s costs callers nothing',
  async (_, answer) => {
    const collector = await startCollector(answer);
    const server = await startServer({
      yaml: yamlFor(collector.url),
      exporterWaits: { batchMs: 10, exportMs: 5_000, stopMs: 100 },
    });
    try {
      const client = await server.client('search');
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => client.chat(chatOf('sim-echo'))),
      );
      expect(answers.every(({ text }) => text !== undefined)).toBe(true);
      await until(() => collector.requestHeaders.length > 0);
      expect((await client.chat(chatOf('sim-echo'))).text).toBeDefined();
    } finally {
      // It waits for the collector, but only for a limited time.
      await server.close();
      await collector.close();
    }
    const { service } = server;
    const metrics = (await service.monitor.pages['/metrics']?.(''))?.text ?? '';
    expect(metrics).toMatch(/^model_gateway_spans_total 0$/m);
  },
  60_000,
);

test('spans that no collector accepts are dropped and counted, and logged once', async () => {
  const server = await startServer({ yaml: yamlFor('http://127.0.0.1:1') });
  const client = await server.client('search');
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 50 }, () => client.chat(chatOf('sim-echo'))));
  }
  const page = server.service.monitor.pages['/metrics'];
  const dropped = async () => {
    const text = (await page?.(''))?.text ?? '';
    return Number(/^model_gateway_spans_dropped_total (\d+)$/m.exec(text)?.[1]);
  };
  // 500 calls of five spans are more than may wait.
  await until(async () => (await dropped()) >= 2_500 - 2_048);
  await server.close();
  const told = server.logLines.filter(({ message }) => message.startsWith('spans dropped'));
  expect(told).toHaveLength(1);
});

test('spans that arrive faster than they are exported do not fill the memory', async () => {
  let isStuck = true;
  const stuck: ServerResponse[] = [];
  const collector = await startCollector((response) => {
    if (isStuck) stuck.push(response);
    else response.end('{}');
  });
  const server = await startServer({
    yaml: yamlFor(collector.url),
    // A batch that times out counts as dropped, although the collector has it.
    exporterWaits: { batchMs: 1_000, exportMs: 300_000, stopMs: 300_000 },
  });
  const client = await server.client('search');
  for (let round = 0; round < 12; round++) {
    await Promise.all(Array.from({ length: 50 }, () => client.chat(chatOf('sim-echo'))));
  }
  expect(collector.spans.length).toBeLessThanOrEqual(2_048);
  isStuck = false;
  for (const response of stuck) response.end('{}');
  await client.chat(chatOf('sim-echo'));
  await server.close();
  const { length } = collector.spans;
  const text = (await server.service.monitor.pages['/metrics']?.(''))?.text ?? '';
  const count = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  // None is counted twice, and none is missing: 601 calls of five spans.
  expect(count('model_gateway_spans_total')).toBeLessThanOrEqual(length);
  expect(length + count('model_gateway_spans_dropped_total')).toBe(3_005);
  await collector.close();
});
