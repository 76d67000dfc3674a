import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../harness/until.ts';
import { formatUsd } from '../../packages/server/src/lib/money.ts';
import { expect, type Steps } from '../image/steps.ts';
import { readBooks } from './books.ts';
import type { Cluster } from './cluster.ts';
import { longestPause, type Outage, rate, spread } from './figures.ts';
import type { Gateway, LoadApp } from './gateway.ts';
import type { Load } from './load.ts';

/** The common parts of every stage. */
export interface Stages {
  readonly steps: Steps;
  readonly cluster: Cluster;
  readonly gateway: Gateway;
  readonly load: Load;
  readonly apps: readonly LoadApp[];
}

/** How long calls continue before the first event, between two, and after the last one. */
const quietMs = 2_000;
/** Far above the duration of any event; calls must succeed again within it. */
const backMsMax = 60_000;

/**
 * Runs a stage: endless calls with events, each during the spending of a wallet. Then it spends the
 * rest of the stage's budget, and compares the three records. The line has the events' figures.
 */
export async function runStage(
  parts: Stages,
  stage: { readonly dayApp: string; readonly line: string },
  work: (event: (act: () => Promise<void>) => Promise<Outage>) => Promise<readonly Outage[]>,
): Promise<void> {
  const { steps, load } = parts;
  await steps.step(stage.line, async () => {
    const end = load.begin(stage.dayApp);
    await sleep(quietMs);
    const fromMs = performance.now();
    const outages = await work((act) => outageOf(parts, act));
    const toMs = performance.now();
    await end();
    await load.spendDay(stage.dayApp);
    const figures = [
      `Patroni has another primary after ${spread(outages.map(({ patroniMs }) => patroniMs))}`,
      `calls are answered again after ${spread(outages.map(({ backMs }) => backMs))}`,
      `longest pause ${spread(outages.map(({ pauseMs }) => pauseMs))}`,
      `${rate(load.goodMs, fromMs - quietMs, fromMs)} before`,
      `${rate(load.goodMs, fromMs, toMs)} with the events`,
    ];
    return `${figures.join('; ')}; ${await expectZero(parts)}`;
  });
}

/**
 * One event during the spending of a wallet; it ends when the cluster is whole and the wallet
 * empty.
 */
async function outageOf({ cluster, load }: Stages, act: () => Promise<void>): Promise<Outage> {
  await cluster.untilWhole();
  const before = await cluster.reign();
  const wallet = load.spendWallet();
  await sleep(quietMs);
  const fromMs = performance.now();
  const acting = act();
  await until(async () => {
    const reign = await cluster.reign();
    return reign !== undefined && reign !== before;
  });
  const patroniMs = performance.now() - fromMs;
  const back = await untilAnswered(load, fromMs + patroniMs);
  await acting;
  await cluster.untilWhole();
  await wallet;
  await sleep(quietMs);
  const pauseMs = longestPause(load.goodMs, fromMs, performance.now());
  return { patroniMs, backMs: back - fromMs, pauseMs };
}

/** The time of the first response after `fromMs`; throws without a response for a minute. */
async function untilAnswered({ goodMs }: Load, fromMs: number): Promise<number> {
  const endsMs = fromMs + backMsMax;
  for (;;) {
    const back = goodMs.find((atMs) => atMs > fromMs);
    if (back !== undefined) return back;
    expect(performance.now() < endsMs, `no call is answered for ${backMsMax / 1_000} s`);
    await sleep(20);
  }
}

/**
 * Compares the records; returns the spending of each budget. Throws when any difference is not
 * zero.
 */
export async function expectZero({ cluster, gateway, load, apps }: Stages): Promise<string> {
  const { simulatorUrl } = gateway;
  const storeUrl = cluster.directUrl;
  const { accounts, scopes, broken } = await readBooks({ storeUrl, simulatorUrl, apps, load });
  const faults = [...broken, ...gateway.died];
  for (const { name, overspendPicoUsd } of [...accounts, ...scopes]) {
    if (overspendPicoUsd > 0n)
      faults.push(`${name} is overspent by $${formatUsd(overspendPicoUsd)}`);
  }
  for (const { name, falseRefusals, doubled, lost, heldPicoUsd } of accounts) {
    const counts = { doubled, lost, 'refused for no reason': falseRefusals };
    for (const [what, count] of Object.entries(counts)) {
      if (count > 0) faults.push(`${name}: ${count} calls ${what}`);
    }
    if (heldPicoUsd > 0n) faults.push(`${name} holds $${formatUsd(heldPicoUsd)}`);
  }
  expect(faults.length === 0, faults.join('; '));
  const spent = scopes.filter(
    ({ billedPicoUsd, capPicoUsd }) => billedPicoUsd * 100n >= capPicoUsd * 90n,
  );
  const calls = load.callResults.filter(({ kind }) => kind === 'answered').length;
  return `${calls} calls so far, ${spent.length} of ${scopes.length} wallets spent, nothing overspent, lost or doubled`;
}
