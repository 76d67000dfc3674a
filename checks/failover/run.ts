import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withScope } from '../../harness/scope.ts';
import { until } from '../../harness/until.ts';
import { createSteps } from '../image/steps.ts';
import { runAsynchronous } from './asynchronous.ts';
import { type Cluster, openCluster } from './cluster.ts';
import type { Outage } from './figures.ts';
import { type LoadApp, openGateway } from './gateway.ts';
import { findPostgres, installCluster } from './install.ts';
import { createLoad, dayFits, mostOf, steadyApp, walletApp, walletFits } from './load.ts';
import { runCuts, runFullDisk, runOtherWays } from './more-stages.ts';
import { runStage, type Stages } from './stage.ts';

const runMsMax = 2_400_000;
/** Of so many kills one hits the whole node, which stays away; the others leave Patroni running. */
const killsForOneNode = 5;
/** One from a standby, one from both. */
const cuts = 2;

const { values } = parseArgs({
  options: {
    switchovers: { type: 'string', default: '20' },
    kills: { type: 'string', default: '20' },
    only: { type: 'string' },
  },
});
const switchovers = Number(values.switchovers);
const nodeKills = Math.floor(Number(values.kills) / killsForOneNode);
const postgresKills = Number(values.kills) - nodeKills;

await withScope(runMsMax, async (scope) => {
  await installCluster();
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-failover-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  const cluster = await openCluster(scope, { folder, binaries: await findPostgres() });
  const dayApps = {
    switchovers: dayApp('switched', switchovers),
    postgresKills: dayApp('killed', postgresKills),
    nodeKills: dayApp('lost', nodeKills),
    cuts: dayApp('cut', cuts),
    disk: dayApp('full', 1),
  };
  const apps = [...baseApps(), ...Object.values(dayApps)];
  const gateway = await openGateway(scope, { folder, storeUrl: cluster.pooledUrl, apps });
  const steps = createSteps();
  const parts = { steps, cluster, gateway, load: createLoad(gateway), apps };

  const stages = {
    switchovers: () =>
      runEvents(parts, dayApps.switchovers, {
        line: `${switchovers} switchovers`,
        count: switchovers,
        act: cluster.switchOver,
      }),
    kills: async () => {
      await runEvents(parts, dayApps.postgresKills, {
        line: `${postgresKills} times kill -9 of the primary's PostgreSQL`,
        count: postgresKills,
        act: async () => (await cluster.untilWhole()).killPostgres(),
      });
      await runEvents(parts, dayApps.nodeKills, {
        line: `${nodeKills} times kill -9 of the primary's whole node`,
        count: nodeKills,
        act: () => loseNode(cluster),
      });
    },
    cuts: () => runCuts(parts, dayApps.cuts.name),
    disk: () => runFullDisk(parts, dayApps.disk.name),
    ways: () => runOtherWays(parts),
    asynchronous: () => runAsynchronous(parts),
  };
  for (const [name, run] of Object.entries(stages)) {
    if (values.only === undefined || values.only === name) await run();
  }
  parts.load.giveUp();
  steps.close();
});

/** A stage of one event, repeated; nothing for 0 times. */
async function runEvents(
  parts: Stages,
  { name }: LoadApp,
  { line, count, act }: { readonly line: string; readonly count: number; act(): Promise<void> },
): Promise<void> {
  if (count === 0) return;
  await runStage(parts, { dayApp: name, line }, (event) => times(count, () => event(act)));
}

/** A lost machine: it returns when its key has expired, and another node leads. */
async function loseNode(cluster: Cluster): Promise<void> {
  const primary = await cluster.untilWhole();
  await primary.kill();
  await until(async () => ![undefined, primary].includes(await cluster.primary()));
  primary.start();
}

function dayApp(name: string, events: number): LoadApp {
  return { name, capPicoUsd: mostOf(name) * BigInt(events * dayFits) };
}

function baseApps(): readonly LoadApp[] {
  const capPicoUsd = 10n ** 17n;
  const grantPicoUsd = mostOf(walletApp) * BigInt(walletFits);
  return [
    { name: steadyApp, capPicoUsd },
    { name: walletApp, capPicoUsd, grantPicoUsd },
  ];
}

async function times(count: number, work: () => Promise<Outage>): Promise<readonly Outage[]> {
  const outages: Outage[] = [];
  while (outages.length < count) outages.push(await work());
  return outages;
}
