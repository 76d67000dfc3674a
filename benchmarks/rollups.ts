import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openStore } from '../packages/server/src/compose/open-store.ts';
import { rollUp } from '../packages/server/src/ledger/rollups.ts';
import { systemClock } from '../packages/server/src/lib/clock.ts';
import { silentLog } from '../packages/server/src/lib/log.ts';
import type { Store } from '../packages/server/src/store/port/port.ts';
import { startOwnPostgres } from '../packages/server/test/support/postgres-own.ts';
import { newDataFolder } from './processes/data-folder.ts';
import { parentOf, readTreeMicros } from './processes/tree-time.ts';
import { fillHour } from './reports/fill-sums.ts';

// Measures the cost of the rollups of reports for each call, off the call's path: an hour of calls
// is closed and summed up, as in the service. Processor time is that of this process with its
// store's thread, and of all of PostgreSQL. A call might have to wait for the longest transactions.

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '200000' },
    apps: { type: 'string', default: '50' },
    users: { type: 'string', default: '100000' },
    models: { type: 'string', default: '12' },
  },
});
const filling = {
  ...{ calls: Number(values.calls), apps: Number(values.apps) },
  ...{ users: Number(values.users), models: Number(values.models) },
};
const aims = { sqlite: 12, postgres: 30 };

const folder = newDataFolder();
const postgres = await startOwnPostgres();
const url = await postgres.database();
const serverPid = await pidOfServer(url);
try {
  const targets = [
    { kind: 'sqlite', path: join(folder, 'ledger.db') },
    { kind: 'postgres', url },
  ] as const;
  for (const target of targets) {
    const store = await openStore({ target, onDeath, log: silentLog });
    await fillHour(store, filling);
    await measure(store);
    await store.close();
  }
} finally {
  await postgres.close();
  await rm(folder, { recursive: true, force: true });
}

async function measure(store: Store) {
  const took: number[] = [];
  const write: Store['write'] = async (statements) => {
    const startedMs = systemClock.monotonic();
    const changed = await store.write(statements);
    took.push(systemClock.monotonic() - startedMs);
    return changed;
  };
  const before = cpuMicros(store);
  const clock = { ...systemClock, now: () => Date.UTC(2026, 11, 1) };
  await rollUp({ store: { ...store, write }, clock });
  const perCall = (cpuMicros(store) - before) / filling.calls;
  const rows = await store.read({
    sql: 'select sum(calls) as n from usage_split',
    values: [],
    map: ([row]) => Number(row?.n),
  });
  if (rows !== filling.calls) throw new Error(`${rows} of ${filling.calls} calls are in the sums`);
  took.sort((a, b) => a - b);
  const [p50 = 0, p99 = 0] = [0.5, 0.99].map((at) => took[Math.floor(took.length * at)]);
  console.log(
    `${store.kind}: ${perCall.toFixed(1)} µs of processor time a call (aim ${aims[store.kind]}); ${took.length} transactions, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
  );
}

/** Of this process, and of PostgreSQL if it is the store. */
function cpuMicros({ kind }: Store): number {
  const { user, system } = process.cpuUsage();
  return user + system + (kind === 'postgres' ? readTreeMicros(serverPid) : 0);
}

async function pidOfServer(databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  const pid = parentOf(Number(rows[0].pid));
  await client.end();
  return pid;
}

function onDeath(error: Error) {
  throw error;
}
