import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openStore } from '../packages/server/src/compose/open-store.ts';
import { systemClock, utcMonthOf } from '../packages/server/src/lib/clock.ts';
import { createIds, firstCallIdAt } from '../packages/server/src/lib/id.ts';
import { silentLog } from '../packages/server/src/lib/log.ts';
import { createApp } from '../packages/server/src/operations/apps/apps.ts';
import { setBudget, showBudget } from '../packages/server/src/operations/budgets/budgets.ts';
import { applyBudgets } from '../packages/server/src/operations/config/declared-budgets.ts';
import {
  type AdminContext,
  createAdminContext,
} from '../packages/server/src/operations/context/context.ts';
import type { Store } from '../packages/server/src/store/port/port.ts';
import { selectBudgetsRevision } from '../packages/server/src/store/queries/budgets.ts';
import { operationsOf } from '../packages/server/test/conformance/operations.ts';
import { startOwnPostgres } from '../packages/server/test/support/postgres-own.ts';
import { numbers } from './ledger/fill.ts';
import { newDataFolder } from './processes/data-folder.ts';

// Measures how long a budget change takes, and how long callers wait during it. The store has
// millions of calls of this month.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000000' },
    store: { type: 'string', default: 'both' },
  },
});
const calls = Number(values.calls);
const clock = systemClock;
const month = utcMonthOf(clock.now());
const dollars = 10n ** 18n;
/** PostgreSQL ends our transactions after 3 s. */
const stepCalls = 20_000;

const folder = newDataFolder();
const postgres = await startOwnPostgres();
try {
  const targets = [
    { kind: 'sqlite', path: join(folder, 'ledger.db') },
    { kind: 'postgres', url: await postgres.database() },
  ] as const;
  for (const target of targets) {
    if (values.store !== 'both' && values.store !== target.kind) continue;
    const parts = { target, onDeath: fail, log: silentLog };
    const filled = await openStore(parts);
    await fill(adminOn(filled));
    // Otherwise merges and cleanup of the fill would be part of a measured wait.
    await filled.close();
    if (target.kind === 'postgres') await tidyPostgres(target.url);
    const startedMs = clock.monotonic();
    const store = await openStore(parts);
    console.log(`${store.kind}: opened in ${msSince(startedMs)}`);
    await measure(adminOn(store));
    await store.close();
  }
} finally {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}

/** After a month of calls the server has written out and vacuumed its pages. */
async function tidyPostgres(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
}

function fail(error: Error) {
  throw error;
}

function adminOn(store: Store): AdminContext {
  const adminOptions = { company: 'acme', adminEmail: undefined, actor: 'bench' };
  return createAdminContext({ store, clock, ids: createIds(clock), ...adminOptions });
}

/** The calls belong to an app in a group, and name the group; another app has no calls. */
async function fill(admin: AdminContext) {
  const { store } = admin;
  for (const name of ['search', 'tutor', 'other']) await createApp(admin, name, {});
  await setBudget(admin, 'research', { apps: ['search'], monthlyPicoUsd: dollars }, []);
  const insert = `
    insert into call (call_id, app, day, route, model, usage_model, price_version, started_at, code,
      input_tokens, cached_input_tokens, cache_write_input_tokens, output_tokens, reasoning_tokens,
      cost, estimated, basis, attempts, ended_at, wallet_grant, wallet_topup, held, scopes)`;
  const rows = `
    select cast($3 as text) || cast(1000000000 + n as text), 'search',
           cast($4 as text) || '-' || case when n % 20 < 9 then '0' else '' end
             || cast(n % 20 + 1 as text),
           'chat', 'bench', 'bench', 'v1', 1767225600000, 'OK', 24, 0, 0, 4, 0, 6000000, 0, 'exact',
           '[{}]', 1767225600100, 0, 0, 1000000, cast($5 as text)
      from numbers`;
  const sql = [insert, numbers[store.kind], rows].join('\n');
  const prefix = firstCallIdAt(Date.parse(`${month}-01`)).slice(0, 'call_'.length + 8);
  const list = JSON.stringify([`group:research@${month}`]);
  for (let from = 0; from < calls; from += stepCalls) {
    const until = BigInt(Math.min(from + stepCalls, calls));
    await store.write([{ sql, values: [BigInt(from), until, prefix, month, list] }]);
  }
  const spent = BigInt(calls) * 6_000_000n;
  const day = `${month}-01`;
  await store.write([
    {
      sql: `
        insert into budget_day (app, day, admitted_cap, cap, spent, held, estimated, overrun)
        values ('search', $1, null, null, $2, 0, 0, 0)`,
      values: [day, spent],
    },
    { sql: 'update budget_scope set spent = spent + $1', values: [spent] },
  ]);
}

async function measure(admin: AdminContext) {
  const both = ['search', 'tutor'];
  // The first calls of a process prepare its statements.
  await during(admin, 'nothing, at first', async () => undefined);
  await during(admin, 'nothing', async () => undefined);
  await during(admin, 'members changed', async () => {
    await setBudget(admin, 'research', { apps: both }, []);
  });
  await during(admin, 'a budget set in mid-month', async () => {
    await setBudget(admin, 'company', { apps: 'all', monthlyPicoUsd: dollars }, []);
  });
  const declared = { name: 'file', dailyPicoUsd: undefined, monthlyPicoUsd: dollars };
  await during(admin, 'a start whose file sets a budget', async () => {
    await applyBudgets(admin, [{ ...declared, apps: both, mode: 'enforce', isVisible: false }]);
  });
  const [shown] = await showBudget(admin, 'research');
  const expected = BigInt(calls) * 6_000_000n;
  console.log(
    `${admin.store.kind}: research has spent ${shown?.spentUsd}, its calls ${expected} pico-USD`,
  );
}

/** Pairs of another app continue: their longest wait is what callers notice. */
async function during({ store }: AdminContext, what: string, change: () => Promise<void>) {
  const operations = operationsOf({
    ...{ app: 'other', userId: undefined, granted: undefined, now: clock.now() },
  });
  let isOver = false;
  let longestMs = 0;
  let pairs = 0;
  const caller = async (name: number) => {
    for (let n = 0; !isOver; n++) {
      const revision = await store.read(selectBudgetsRevision);
      const id = `${what}-${name}-${n}`;
      for (const operation of [
        operations.reserve(id, 10n, { revision }),
        operations.settle(id, 6n),
      ]) {
        const startedMs = clock.monotonic();
        const [result] = await store.commit([operation]);
        longestMs = Math.max(longestMs, clock.monotonic() - startedMs);
        if (!result?.ok) throw new Error(result?.error);
        if (result.outcome.kind === 'outdated-budgets') break;
      }
      pairs++;
    }
  };
  const calling = Array.from({ length: 8 }, (_, name) => caller(name));
  // A hundred pairs on both sides of the change, to make sure that it meets callers.
  const after = (count: number) => waitFor(() => pairs >= count);
  await after(100);
  const startedMs = clock.monotonic();
  await change();
  const took = msSince(startedMs);
  await after(pairs + 100);
  isOver = true;
  await Promise.all(calling);
  console.log(
    `${store.kind}: ${what} ${took}; the longest wait of a caller ${longestMs.toFixed(1)} ms`,
  );
}

async function waitFor(condition: () => boolean) {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

function msSince(startedMs: number): string {
  return `${(clock.monotonic() - startedMs).toFixed(1)} ms`;
}
