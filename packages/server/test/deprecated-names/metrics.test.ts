import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rollUp } from '../../src/ledger/rollups.ts';
import { deprecatedNames } from '../../src/observe/deprecated-names.ts';
import { mergeMetrics } from '../../src/observe/merge-metrics.ts';
import { readScrape, type Scrape, scrape } from '../observe/support/scrape.ts';
import { chatOf, meetChat } from '../support/exchange.ts';
import { defaultYaml, openStack, type Stack } from '../support/stack.ts';

const names = Object.entries(deprecatedNames);

let stack: Stack;
let one: Scrape;
let merged: Scrape;
beforeAll(async () => {
  const shadow = 'budgets: [{ name: lab, apps: all, dailyUsd: "0.00001", mode: shadow }]';
  stack = await openStack({ yaml: `${defaultYaml}${shadow}\n` });
  const { clock, service } = stack;
  clock.set(Date.UTC(2026, 10, 23, 12, 20));
  await meetChat(stack, 'search', 'sim-timeout');
  await clock.advance(30_000);
  await rollUp(stack.admin);
  await meetChat(stack, 'search', 'sim-timeout');
  const client = await stack.client('search');
  const running = client.chat(chatOf('sim-slow'));
  await clock.advance(100);
  one = await scrape(stack);
  const ofThread = await clock.run(service.monitor.metrics());
  merged = readScrape(await (await mergeMetrics([ofThread, ofThread])).metrics());
  await clock.run(running);
});
afterAll(() => stack.close());

function valuesOf(seen: Scrape, name: string): ReadonlyMap<string, number | undefined> {
  return new Map(
    seen.seriesOf(name).map((series) => [series.slice(name.length), seen.value(series)]),
  );
}

describe.each(names)('%s', (was, name) => {
  test(`has the series and the values of ${name}`, () => {
    expect(valuesOf(one, name).size).toBeGreaterThan(0);
    expect(valuesOf(one, was)).toEqual(valuesOf(one, name));
  });

  test('is merged from several threads like the new one', () => {
    expect(valuesOf(merged, was)).toEqual(valuesOf(merged, name));
  });
});

test('nearly all have a value, so no comparison is of zeros', () => {
  const zeros = names.filter(([was]) => [...valuesOf(one, was).values()].every((n) => n === 0));
  // This one requires another replica's file.
  expect(zeros.map(([was]) => was)).toEqual(['model_gateway_apps_unlike_file']);
});

test('HELP names the new metric', async () => {
  const page = await stack.clock.run(Promise.resolve(stack.service.monitor.pages['/metrics']()));
  for (const [was, name] of names) {
    expect(page.text).toContain(`# HELP ${was} Deprecated, use ${name}\n`);
  }
});
