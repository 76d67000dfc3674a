import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withScope } from '../../benchmarks/processes/scope.ts';
import { createSteps } from '../image/steps.ts';
import { runAsynchronous } from './asynchronous.ts';
import { openCluster } from './cluster.ts';
import type { Outage } from './figures.ts';
import { type LoadApp, openGateway } from './gateway.ts';
import { findPostgres, installCluster } from './install.ts';
import { createLoad, dayFits, mostOf, steadyApp, walletApp, walletFits } from './load.ts';
import { runCuts, runFullDisk, runOtherWays } from './more-stages.ts';
import { runStage, type Stages } from './stage.ts';

const runMsMax = 2_400_000;
/** So many kills leave Patroni be; the next one takes the whole node. */
const killsOfPostgres = 4;
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
const kills = Number(values.kills);

await withScope(runMsMax, async (scope) => {
  await installCluster();
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-failover-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  const cluster = await openCluster(scope, { folder, binaries: await findPostgres() });
  const dayApps = {
    switchovers: dayApp('switched', switchovers),
    kills: dayApp('killed', kills),
    cuts: dayApp('cut', cuts),
    disk: dayApp('full', 1),
  };
  const apps = [...baseApps(), ...Object.values(dayApps)];
  const gateway = await openGateway(scope, { folder, storeUrl: cluster.pooledUrl, apps });
  const steps = createSteps();
  const parts = { steps, cluster, gateway, load: createLoad(gateway), apps };

  const stages = {
    switchovers: () =>
      runStage(
        parts,
        { dayApp: dayApps.switchovers.name, line: `${switchovers} switchovers` },
        (event) => times(switchovers, () => event(cluster.switchOver)),
      ),
    kills: () => runKills(parts, dayApps.kills.name, kills),
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

function runKills(parts: Stages, dayApp: string, count: number): Promise<void> {
  const { cluster } = parts;
  return runStage(parts, { dayApp, line: `${count} times kill -9 of the primary` }, (event) =>
    times(count, (index) =>
      event(async () => {
        const primary = await cluster.untilWhole();
        if (index % (killsOfPostgres + 1) < killsOfPostgres) return primary.killPostgres();
        await primary.kill();
        primary.start();
      }),
    ),
  );
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

async function times(
  count: number,
  work: (index: number) => Promise<Outage>,
): Promise<readonly Outage[]> {
  const outages: Outage[] = [];
  for (let index = 0; index < count; index++) {
    outages.push(await work(index));
  }
  return outages;
}
