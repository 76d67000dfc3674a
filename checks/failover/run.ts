import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withScope } from '../../benchmarks/processes/scope.ts';
import { createSteps } from '../image/steps.ts';
import { openCluster } from './cluster.ts';
import type { Outage } from './figures.ts';
import { type LoadApp, openGateway } from './gateway.ts';
import { findPostgres, installCluster } from './install.ts';
import { createLoad, dayFits, mostOf, steadyApp, walletApp, walletFits } from './load.ts';
import { runStage } from './stage.ts';

const runMsMax = 2_400_000;
/** So many kills leave Patroni be; the next one takes the whole node. */
const killsOfPostgres = 4;

const { values } = parseArgs({
  options: {
    switchovers: { type: 'string', default: '20' },
    kills: { type: 'string', default: '20' },
  },
});
const switchovers = Number(values.switchovers);
const kills = Number(values.kills);

await withScope(runMsMax, async (scope) => {
  await installCluster();
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-failover-'));
  scope.add(() => rm(folder, { recursive: true, force: true }));
  const cluster = await openCluster(scope, { folder, binaries: await findPostgres() });
  const dayApps = { switchovers: dayApp('switched', switchovers), kills: dayApp('killed', kills) };
  const apps = [...baseApps(), ...Object.values(dayApps)];
  const gateway = await openGateway(scope, { folder, storeUrl: cluster.pooledUrl, apps });
  const steps = createSteps();
  const parts = { steps, cluster, gateway, load: createLoad(gateway), apps };

  const line = `${switchovers} switchovers`;
  await runStage(parts, { dayApp: dayApps.switchovers.name, line }, (event) =>
    times(switchovers, () => event(cluster.switchOver)),
  );
  const killLine = `${kills} times kill -9 of the primary`;
  await runStage(parts, { dayApp: dayApps.kills.name, line: killLine }, (event) =>
    times(kills, (index) =>
      event(async () => {
        const primary = await cluster.untilWhole();
        if (index % (killsOfPostgres + 1) < killsOfPostgres) return primary.killPostgres();
        await primary.kill();
        primary.start();
      }),
    ),
  );
  steps.close();
});

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
