import { join } from 'node:path';
import process from 'node:process';
import { type Scope, withScope } from '../harness/scope.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { createIds } from '../packages/server/src/lib/id.ts';
import { silentLog } from '../packages/server/src/lib/log.ts';
import { createOutbox } from '../packages/server/src/notify/outbox.ts';
import { createMismatches } from '../packages/server/src/notify/rules/mismatches.ts';
import { createRefusals } from '../packages/server/src/notify/rules/refusals.ts';
import { createRules } from '../packages/server/src/notify/rules/rules.ts';
import type { SqlValue, Store } from '../packages/server/src/store/port/port.ts';
import { openSqliteStore } from '../packages/server/src/store/sqlite/store.ts';
import { hookOf } from '../packages/server/test/conformance/alert-scene.ts';
import { startOwnPostgres } from '../packages/server/test/support/postgres-own.ts';
import { openPostgresStore } from '../packages/server/test/support/postgres-store.ts';
import { makeDataFolder } from './processes/data-folder.ts';

// Measures the processor time of one round of the rules of `notify`, with its store's thread: 1,000
// apps, each with a month's budget and 90 days of history, and 20 groups.

const apps = 1_000;
const rounds = 60;
const roundMsMax = 20;
const day = '2026-11-23';
const cap = 10n ** 13n;
const noonMs = Date.parse(`${day}T12:00:00Z`);
const onDeath = (error: Error) => {
  throw error;
};

process.exitCode = (await withScope(600_000, measure)) ? 0 : 1;

async function measure(scope: Scope): Promise<boolean> {
  const path = join(makeDataFolder(scope), 'gateway.db');
  const sqlite = await openSqliteStore({ path, onDeath, log: silentLog });
  const onSqlite = await measureOn(sqlite);
  await sqlite.close();
  const server = await startOwnPostgres();
  scope.add(() => server.close());
  const postgres = await openPostgresStore({ url: await server.database(), log: silentLog });
  const onPostgres = await measureOn(postgres);
  await postgres.close();
  return onSqlite && onPostgres;
}

async function measureOn(store: Store): Promise<boolean> {
  await fill(store);
  const outbox = createOutbox({ store, ids: createIds(systemClock) });
  const rules = createRules({
    ...{ store, instanceId: 'bench', webhooks: [hookOf()], refusals: createRefusals() },
    mismatches: createMismatches(),
    clock: systemClock,
    circuits: { snapshot: () => ({ circuits: [] }) },
    pseudonyms: () => Promise.reject(new Error('no wallet is checked')),
  });
  const took: number[] = [];
  let notified = 0;
  for (let round = 0; round < rounds; round++) {
    const began = process.cpuUsage();
    const events = [...(await rules.local(noonMs)), ...(await rules.round(noonMs))];
    const { user, system } = process.cpuUsage(began);
    took.push((user + system) / 1_000);
    notified += (await outbox.raise(events, [hookOf()])).length;
    rules.markRaised(events);
    // A tenth of the apps continues to spend.
    const sql = `update budget_day set spent = spent + $1 where day = $2 and app like $3`;
    await store.write([{ sql, values: [cap / 100n, day, `%${round % 10}`] }]);
  }
  const [first = 0, ...rest] = took;
  const ordered = rest.toSorted((a, b) => a - b);
  const at = (share: number) => ordered[Math.floor(ordered.length * share)] ?? 0;
  console.log(
    `${store.kind}: ${at(0.5).toFixed(1)} ms of processor time a round of ${apps} apps (p95 ${at(0.95).toFixed(1)} ms, the first ${first.toFixed(1)} ms), ${notified} events`,
  );
  return at(0.5) <= roundMsMax;
}

async function fill(store: Store) {
  const run = (sql: string, values: readonly SqlValue[] = []) => store.write([{ sql, values }]);
  const numbers = (to: number) =>
    `with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${to})`;
  await run(
    `insert into app (name, origin, enabled, require_priced, store_answers, created_at, adopt_retries)
     ${numbers(apps)} select 'app' || number, 'command', 1, 1, 1, 0, 0 from numbers`,
  );
  // 90 days with the current one last; the spending differs by app.
  await run(
    `insert into budget_day (app, day, cap, spent, held, estimated, overrun)
     ${numbers(90)}
     select app.name, case number when 90 then '${day}' else '2026-0' || number end,
            cast($1 as bigint), cast($1 as bigint) / 100 * (length(app.name) * 7 + number) / 2, 0, 0, 0
       from app cross join numbers`,
    [cap],
  );
  await run(
    `insert into budget_definition (scope, span, cap, mode, visible, members, origin, since)
     select 'app:' || name, 'month', cast($1 as bigint), 'enforce', 0, null, 'command', 0 from app
     union all
     select 'group:' || name, 'day', cast($1 as bigint), 'enforce', 0, 'all', 'command', 0 from app
      where name like 'app1_' or name like 'app2_'`,
    [cap],
  );
  await run(
    `insert into budget_scope (scope, period, cap, mode, brought, spent, held, estimated, overrun,
                               pruned, would_refuse, would_refuse_amount)
     select scope, case span when 'day' then '${day}' else '2026-11' end, cap, mode, 0, cap / 3, 0,
            0, 0, 0, 0, 0
       from budget_definition`,
  );
}
