import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { audit } from '../packages/server/src/ledger/audit.ts';
import { usageReport } from '../packages/server/src/ledger/usage-report.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { silentLog } from '../packages/server/src/lib/log.ts';
import { selectApp } from '../packages/server/src/registry/queries.ts';
import { openStore } from '../packages/server/src/store/open.ts';
import type { Store } from '../packages/server/src/store/port.ts';
import { startPostgres } from '../packages/server/test/support/postgres.ts';
import { fillCalls } from './ledger/fill.ts';
import { measurePairs, prepareStore } from './ledger/pairs.ts';
import { newDataFolder } from './processes/data-folder.ts';

// What usage, admission and settlement cost on an empty ledger and on one with millions of calls.
const millions = Number(process.argv[2] ?? 5);
const folder = newDataFolder();
const postgres = await startPostgres();
try {
  const targets = [
    { kind: 'sqlite', path: join(folder, 'ledger.db') },
    { kind: 'postgres', url: await postgres.database() },
  ] as const;
  for (const target of targets) {
    const onDeath = (error: Error) => {
      throw error;
    };
    const store = await openStore({ target, onDeath, log: silentLog });
    await prepareStore(store);
    await measure(store, 0);
    await fillCalls(store, millions * 1_000_000);
    await measure(store, millions);
    const startedMs = systemClock.monotonic();
    const { clean } = await audit(store, systemClock.now());
    const tookMs = systemClock.monotonic() - startedMs;
    console.log(`${store.kind}: audit ${clean ? 'clean' : 'NOT CLEAN'} in ${seconds(tookMs)} s`);
    await store.close();
  }
} finally {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}

async function measure(store: Store, calls: number) {
  const app = await store.read(selectApp('search', 'acme'));
  if (app === undefined) throw new Error('the app of the benchmark is not there');
  const full = { ...app, projectIds: new Map<string, string>() };
  const day = '2026-11-21';
  const tookMs: number[] = [];
  for (let round = 0; round < 21; round++) {
    const startedMs = systemClock.monotonic();
    await usageReport(store, full, { day, today: day });
    tookMs.push(systemClock.monotonic() - startedMs);
  }
  tookMs.sort((a, b) => a - b);
  const usageMs = tookMs[10] ?? 0;
  const pairs = await measurePairs({ store, callers: 128, withKeys: true, lastsMs: 3_000 });
  const alone = await measurePairs({ store, callers: 1, withKeys: true, lastsMs: 1_000 });
  const figures = [
    `usage ${usageMs.toFixed(2)} ms`,
    `${Math.round(pairs.pairsPerSecond)} pairs/s at 128 callers`,
    `a commit alone ${alone.p50Ms.toFixed(2)} ms`,
  ];
  console.log(`${store.kind}, ${calls} million calls: ${figures.join(', ')}`);
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
