import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createCatalog } from '../packages/server/src/catalog/create-catalog.ts';
import { openStore } from '../packages/server/src/compose/open-store.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createIds } from '../packages/server/src/lib/id.ts';
import { silentLog } from '../packages/server/src/lib/log.ts';
import { createAdminContext } from '../packages/server/src/operations/context/context.ts';
import { readReport } from '../packages/server/src/operations/reports/report.ts';
import { type Dimension, dimensionOf } from '../packages/server/src/reports/dimensions.ts';
import type { Store } from '../packages/server/src/store/port/port.ts';
import { startOwnPostgres } from '../packages/server/test/support/postgres-own.ts';
import { newDataFolder } from './processes/data-folder.ts';
import { fillMonth, type Month } from './reports/fill-sums.ts';

// Measures reports of a month: the top 100 of each split.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000000' },
    users: { type: 'string', default: '1000000' },
    apps: { type: 'string', default: '50' },
    store: { type: 'string', default: 'both' },
  },
});
const month: Month = {
  ...{ calls: Number(values.calls), users: Number(values.users), apps: Number(values.apps) },
  ...{ models: 12, open: 14_000, late: 2_000 },
};
const splits = [
  ...['app', 'model', 'day', 'key', 'platform', 'project', 'group', 'tag', 'app,model,day'],
  ...['app,user', 'app,user,tag'],
];
const rounds = 5;
/** Before the end of the hour that follows the rollups. */
const clock = { ...systemClock, now: () => Date.UTC(2026, 10, 30, 22, 59) };
const catalog = createCatalog({
  ...{ models: [], aliases: [], platforms: [], defaultPlatform: 'hosted', shipped: [], clock },
});

const folder = newDataFolder();
const postgres = await startOwnPostgres();
try {
  const targets = [
    { kind: 'sqlite', path: join(folder, 'ledger.db') },
    { kind: 'postgres', url: await postgres.database() },
  ] as const;
  console.log(
    `a month of ${month.calls} calls of ${month.users} users; top 100; middle of ${rounds}`,
  );
  for (const target of targets) {
    if (values.store !== 'both' && values.store !== target.kind) continue;
    const store = await openStore({ target, onDeath, log: silentLog });
    await fillMonth(store, month);
    await measure(store);
    await store.close();
  }
} finally {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}

async function measure(store: Store) {
  const { clock: _server, ...own } = store;
  const admin = createAdminContext({
    ...{ store: own, clock, ids: createIds(clock), company: 'acme', adminEmail: undefined },
    actor: 'bench',
  });
  for (const split of splits) {
    const by = split.split(',').map(knownDimension);
    const query = { from: '2026-11-01', to: '2026-11-30', by, apps: undefined, top: 100 };
    const times: number[] = [];
    let rows = 0;
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round++) {
      const startedMs = systemClock.monotonic();
      ({ found: rows } = await readReport(admin, catalog, query, () => undefined));
      times.push(systemClock.monotonic() - startedMs);
    }
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1_000 / rounds;
    times.sort((a, b) => a - b);
    const middle = times[Math.floor(rounds / 2)] ?? 0;
    console.log(
      `${store.kind}  ${split}: ${rows} rows, ${middle.toFixed(0)} ms, of this process's processor ${cpuMs.toFixed(0)}`,
    );
  }
}

function knownDimension(name: string): Dimension {
  const dimension = dimensionOf(name);
  if (dimension === undefined) throw new Error(`${name} is nothing to split by`);
  return dimension;
}

function onDeath(error: Error) {
  throw error;
}
