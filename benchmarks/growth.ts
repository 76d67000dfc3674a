import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../packages/server/src/compose/open-store.ts';
import { usageReport } from '../packages/server/src/ledger/usage-report.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createIds } from '../packages/server/src/lib/id.ts';
import { silentLog } from '../packages/server/src/lib/log.ts';
import { createApp } from '../packages/server/src/operations/apps/apps.ts';
import {
  type AdminContext,
  createAdminContext,
} from '../packages/server/src/operations/context/context.ts';
import { pruneDays } from '../packages/server/src/operations/days/prune.ts';
import { audit } from '../packages/server/src/store/audit/audit.ts';
import type { Store } from '../packages/server/src/store/port/port.ts';
import { selectApp, selectApps } from '../packages/server/src/store/queries/registry.ts';
import { startOwnPostgres } from '../packages/server/test/support/postgres-own.ts';
import {
  appName,
  type Filling,
  fillApps,
  fillCalls,
  fillWallets,
  roundedFilling,
  userName,
} from './ledger/fill.ts';
import { measurePairs, type PairsRow } from './ledger/pairs.ts';
import { sizeOfStore } from './ledger/size.ts';
import { newDataFolder } from './processes/data-folder.ts';

// Compares usage, admission and settlement on an empty ledger and on a ledger with millions of
// calls and wallets, spread over thousands of apps. Then measures an audit, and the effect of
// pruning one day on callers.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000000' },
    apps: { type: 'string', default: '10000' },
    wallets: { type: 'string', default: '1000000' },
    store: { type: 'string', default: 'both' },
  },
});
const filling: Filling = roundedFilling({
  calls: Number(values.calls),
  apps: Number(values.apps),
  wallets: Number(values.wallets),
});
const clock = systemClock;
const ids = createIds(clock);
const company = 'acme';
/** The first app, the template of the others. */
const firstApp = appName(0);
const usageRounds = 101;

const columns = [
  ...['store', 'calls', 'usage of a day ms', 'apps read ms'],
  ...['pairs/s at 128', 'wait p50 ms', 'p99 ms', 'one single commit ms', 'store MiB'],
];

const folder = newDataFolder();
const postgres = await startOwnPostgres();
try {
  const targets = [
    { kind: 'sqlite', path: join(folder, 'ledger.db') },
    { kind: 'postgres', url: await postgres.database() },
  ] as const;
  const { apps, wallets } = filling;
  console.log(`${apps} apps, ${wallets} wallets; each pair is paid by the next app and user`);
  console.log(columns.join('  '));
  for (const target of targets) {
    if (values.store !== 'both' && values.store !== target.kind) continue;
    const onDeath = (error: Error) => {
      throw error;
    };
    const store = await openStore({ target, onDeath, log: silentLog });
    await measureGrowth(store);
    await store.close();
  }
} finally {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}

async function measureGrowth(store: Store) {
  const admin = createAdminContext({
    ...{ store, clock, ids, company, adminEmail: undefined, actor: 'bench' },
  });
  const credits = { monthlyGrantPicoUsd: 10n ** 12n, picoUsdPerCredit: 10n ** 10n };
  const like = 'search';
  await createApp(admin, like, { dailyBudgetPicoUsd: 10n ** 18n, credits });
  await fillApps(store, like, filling);
  await measure(store, 0);
  const filledMs = await tookMs(async () => {
    await fillWallets(store, filling);
    await fillCalls(store, filling);
  });
  await measure(store, filling.calls);
  const auditedMs = await tookMs(async () => {
    const { checks } = await audit(store, clock.now());
    const broken = checks.filter(({ ok }) => !ok).map(({ id }) => id);
    console.log(`${store.kind}: audit ${broken.length === 0 ? 'clean' : `NOT CLEAN: ${broken}`}`);
  });
  console.log(
    `${store.kind}: filled in ${seconds(filledMs)} s, audited in ${seconds(auditedMs)} s`,
  );
  await measurePrune(admin);
}

async function measure(store: Store, calls: number) {
  const app = await store.read(selectApp(firstApp, company));
  if (app === undefined) throw new Error('the app of the benchmark is not there');
  const day = '2026-11-21';
  const usage = () => usageReport(store, app, { day, today: day });
  const usageMs = await middleMs(usageRounds, usage);
  const appsMs = await middleMs(5, () => store.read(selectApps(company)));
  const pairs = await pairsOf(store, { callers: 128, lastsMs: 5_000 });
  const alone = await pairsOf(store, { callers: 1, lastsMs: 2_000 });
  const mebibytes = await sizeOfStore(store, join(folder, 'ledger.db'));
  const cells = [
    ...[store.kind, String(calls), usageMs.toFixed(2), appsMs.toFixed(1)],
    ...[pairs.pairsPerSecond.toFixed(0), pairs.p50Ms.toFixed(2), pairs.p99Ms.toFixed(2)],
    ...[alone.p50Ms.toFixed(2), mebibytes.toFixed(0)],
  ];
  console.log(cells.map((cell, column) => cell.padStart(columns[column]?.length ?? 0)).join('  '));
}

/** Compares callers' waits while a day is pruned with those of as long a time without a prune. */
async function measurePrune(admin: AdminContext) {
  const { store } = admin;
  const quiet = await pairsOf(store, { callers: 32, lastsMs: 5_000 });
  let lastedMs: number | undefined;
  const startedMs = clock.monotonic();
  const pruning = pruneDays(admin, { before: '2026-01-02' }).finally(() => {
    lastedMs = clock.monotonic() - startedMs;
  });
  const busy = await pairsOf(store, { callers: 32, lastsMs: 5_000 });
  // The pairs outlast the prune of a small ledger, so they show less of its effect.
  const share = lastedMs === undefined ? 'all of the time' : 'part of the time';
  const { calls } = await pruning;
  console.log(
    `${store.kind}: ${calls} calls pruned within ${seconds(lastedMs ?? 0)} s; 32 callers waited p50 ` +
      `${busy.p50Ms.toFixed(2)} ms, p99 ${busy.p99Ms.toFixed(2)} ms during it (${share}), and ` +
      `p50 ${quiet.p50Ms.toFixed(2)} ms, p99 ${quiet.p99Ms.toFixed(2)} ms before; audit ` +
      `${(await audit(store, clock.now())).clean ? 'clean' : 'NOT CLEAN'}`,
  );
}

function pairsOf(
  store: Store,
  how: { readonly callers: number; readonly lastsMs: number },
): Promise<PairsRow> {
  const { apps, wallets } = filling;
  const users = Math.max(1, wallets / apps);
  // A stride without a common divisor leaves large gaps between two pairs, and reaches every
  // wallet.
  let number = Math.floor(ids.random() * wallets);
  return measurePairs({
    ...{ store, withKeys: true, ...how },
    nextPayer() {
      number += 7_919;
      const app = appName(number % apps);
      return { app, userId: userName(Math.floor(number / apps) % users) };
    },
  });
}

async function middleMs(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await tookMs(work));
  times.sort((a, b) => a - b);
  return times[Math.floor(rounds / 2)] ?? 0;
}

async function tookMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = clock.monotonic();
  await work();
  return clock.monotonic() - startedMs;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
