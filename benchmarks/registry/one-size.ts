import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { openStore } from '../../packages/server/src/compose/open-store.ts';
import { systemClock } from '../../packages/server/src/lib/clock.ts';
import { createIds } from '../../packages/server/src/lib/id.ts';
import { silentLog } from '../../packages/server/src/lib/log.ts';
import { createApp } from '../../packages/server/src/operations/apps/apps.ts';
import {
  type AdminContext,
  createAdminContext,
} from '../../packages/server/src/operations/context/context.ts';
import { issueKey } from '../../packages/server/src/operations/keys/keys.ts';
import { openRegistry } from '../../packages/server/src/registry/registry.ts';
import type { Store } from '../../packages/server/src/store/port/port.ts';
import * as sql from '../../packages/server/src/store/queries/operator-statements.ts';
import { fillApps, numbers } from '../ledger/fill.ts';
import { newDataFolder } from '../processes/data-folder.ts';

// A process of one store: the startup of a registry with so many keys, and what its changes block.

/** The result of one size; times in ms, memory in MB. */
export interface SizeResult {
  readonly keys: number;
  readonly startMs: number;
  readonly startTurnMs: number;
  readonly memoryMb: number;
  readonly transactionMs: number;
  readonly changeTurnMs: number;
  readonly reloadMs: number;
  readonly reloadTurnMs: number;
}

/** Keys of one transaction of the fill. */
const stepKeys = 20_000;
const changes = 30;
const reloads = 3;

const keys = Number(process.argv[2]);
const folder = newDataFolder();
const target = { kind: 'sqlite', path: join(folder, 'ledger.db') } as const;
const parts = { target, log: silentLog, onDeath };
try {
  const filled = await openStore(parts);
  await fill(filled);
  await filled.close();
  const store = await openStore(parts);
  process.stdout.write(JSON.stringify(await measure(store)));
  await store.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}

function onDeath(error: Error) {
  throw error;
}

function adminOn(store: Store): AdminContext {
  const adminOptions = { company: 'acme', adminEmail: undefined, actor: 'bench' };
  return createAdminContext({
    store,
    clock: systemClock,
    ids: createIds(systemClock),
    ...adminOptions,
  });
}

/** One app for five keys. */
async function fill(store: Store): Promise<void> {
  const apps = keys / 5;
  await createApp(adminOn(store), 'first', {});
  await fillApps(store, 'first', { calls: 0, apps, wallets: 0 });
  const insert = `
    insert into api_key (id, key_hash, name, customer_id, enabled, created_at)
    ${numbers.sqlite}
    select 'key_' || n, printf('%08x%056d', (n * 2654435761) % 4294967296, n),
           'llm::user::app-' || (n % $3) || '::team@acme.example', 'app-' || (n % $3), 1, n
      from numbers`;
  for (let from = 0; from < keys; from += stepKeys) {
    const values = [from, Math.min(from + stepKeys, keys), apps];
    await store.write([
      { sql: sql.bumpRevision, values: [] },
      { sql: insert, values },
    ]);
  }
}

async function measure(store: Store): Promise<SizeResult> {
  const took: number[] = [];
  const timed = async <T>(answer: Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    const answered = await answer;
    took.push(performance.now() - startedMs);
    return answered;
  };
  const watched: Store = {
    ...store,
    read: (query) => timed(store.read(query)),
    write: (statements) => timed(store.write(statements)),
  };
  const memoryBefore = process.memoryUsage.rss();
  const turns = monitorEventLoopDelay({ resolution: 1 });
  turns.enable();
  const longest = () => {
    const ms = turns.max / 1e6;
    turns.reset();
    return ms;
  };
  const startedMs = performance.now();
  const registry = await openRegistry({
    ...{ store: watched, clock: systemClock, log: silentLog, company: 'acme' },
    beforeChange: async () => undefined,
  });
  const startMs = performance.now() - startedMs;
  const startTurnMs = longest();
  const memoryMb = (process.memoryUsage.rss() - memoryBefore) / 1e6;
  took.length = 0;
  const admin = adminOn(watched);
  for (let change = 0; change < changes; change++) {
    const { key } = await issueKey(admin, { app: 'app-1', email: `a${change}@acme.example` });
    await registry.refresh();
    if (registry.key(key) === undefined) throw new Error('a new key is not known');
  }
  const changeTurnMs = longest();
  const transactionMs = Math.max(...took);
  const reloadedMs = performance.now();
  for (let reload = 0; reload < reloads; reload++) {
    await watched.write([{ sql: sql.bumpRevision, values: [] }]);
    await registry.refresh();
  }
  const reloadMs = (performance.now() - reloadedMs) / reloads;
  const reloadTurnMs = longest();
  await registry.stop();
  return {
    ...{ keys, startMs, startTurnMs, memoryMb, transactionMs },
    ...{ changeTurnMs, reloadMs, reloadTurnMs },
  };
}
