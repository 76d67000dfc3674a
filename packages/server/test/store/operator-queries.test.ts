import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { openStore } from '../../src/compose/open-store.ts';
import { silentLog } from '../../src/lib/silent-log.ts';
import { type Query, type Store, StoreError } from '../../src/store/port/port.ts';
import { int } from '../../src/store/schema/columns.ts';
import { createReader, startWorker } from '../../src/store/sqlite/reader/reader.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

const noon = { sql: 'update budget_revision set value = value + 1 where id = 1', values: [] };
const revision: Query<number> = {
  sql: 'select value from budget_revision where id = 1',
  values: [],
  map: ([row]) => (row === undefined ? -1 : int(row, 'value')),
};
const one: Query<number> = { sql: 'select 1 as n', values: [], map: countOf };
/** Enough rows that it takes about a second. */
const slow: Query<number> = {
  sql: `
    with recursive step(n) as (select 1 union all select n + 1 from step where n < $1)
    select count(*) as n from step`,
  values: [2_000_000],
  isLong: true,
  map: countOf,
};

function countOf([row]: Parameters<Query<number>['map']>[0]): number {
  return row === undefined ? -1 : Number(row.n);
}

describe.each(['sqlite', 'postgres'] as const)('operator queries on %s', (kind) => {
  let folder: string;
  let server: TestPostgres | undefined;
  let url = '';
  let store: Store;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'model-gateway-readings-'));
    if (kind === 'postgres') server = await startPostgres();
    url = (await server?.database()) ?? '';
    const path = join(folder, 'gateway.db');
    store = await openAt(path, url);
  });
  afterAll(async () => {
    await store.close();
    await server?.close();
    if (kind === 'sqlite') expect(existsSync(join(folder, 'gateway.db-wal'))).toBe(false);
    await rm(folder, { recursive: true, force: true });
  });

  test('see everything that was committed before they began', async () => {
    const before = await store.readForOperator(revision);
    for (let round = 1; round <= 50; round++) {
      await store.write([noon]);
      expect(await store.readForOperator(revision)).toBe(before + round);
      expect(await store.readForOperator({ ...revision, isLong: true })).toBe(before + round);
    }
  });

  test('can change nothing', async () => {
    const before = await store.read(revision);
    const changing = [
      noon.sql,
      `${noon.sql} returning value as n`,
      'create table other (n integer)',
    ];
    for (const sql of changing) {
      const query = { ...one, sql };
      await expect(store.readForOperator(query)).rejects.toThrow(StoreError);
      await expect(store.readForOperator(query)).rejects.toThrow(/read-?only/);
      // A query that reads whole tables automatically is an operator query.
      await expect(store.read({ ...query, isLong: true })).rejects.toThrow(/read-?only/);
    }
    expect(await store.read(revision)).toBe(before);
  });

  test('a wrong query fails by itself, with its reason', async () => {
    const wrong = store.readForOperator({ ...one, sql: 'select n from nowhere' });
    const right = store.readForOperator(one);
    await expect(wrong).rejects.toThrow(StoreError);
    await expect(wrong).rejects.toThrow(/nowhere/);
    expect(await right).toBe(1);
  });

  test('long ones block neither commits nor short ones', async () => {
    const ended: string[] = [];
    const end = (name: string) => () => void ended.push(name);
    const long = store.read(slow).then(end('long'));
    for (let round = 0; round < 3; round++) {
      await store.write([noon]).then(end('write'));
      await store.read(revision).then(end('read'));
      await store.readForOperator(revision).then(end('aside'));
    }
    await long;
    const round = ['write', 'read', 'aside'];
    expect(ended).toEqual([...round, ...round, ...round, 'long']);
  });

  test('do not wait for a waiting commit', async () => {
    const unlock = await lockWrites();
    const ended: string[] = [];
    const write = store.write([noon]).then(() => void ended.push('write'));
    expect(await store.readForOperator(one)).toBe(1);
    await store.readForOperator({ ...slow, values: [10] }).then(() => void ended.push('aside'));
    await unlock();
    await write;
    expect(ended).toEqual(['aside', 'write']);
  });

  /** An operator's open transaction, until it is ended. */
  async function lockWrites(): Promise<() => Promise<void>> {
    if (kind === 'sqlite') {
      const other = new DatabaseSync(join(folder, 'gateway.db'));
      other.exec('begin immediate');
      return async () => {
        other.exec('rollback');
        other.close();
      };
    }
    const client = new pg.Client(url);
    await client.connect();
    await client.query('begin; lock table budget_revision in exclusive mode');
    return () => client.end();
  }

  test.runIf(kind === 'postgres')(
    'a connection that is ended under one is opened again',
    async () => {
      const client = new pg.Client(url);
      await client.connect();
      const long = store.readForOperator(slow);
      const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'model-gateway-readings' and datname = current_database()`;
      await until(async () => (await client.query(end)).rowCount !== 0);
      expect(await long).toBe(2_000_000);
      const { rows } = await client.query(
        `select count(*)::int as n from pg_stat_activity
        where application_name = 'model-gateway-readings' and datname = current_database()`,
      );
      expect(rows[0].n).toBeLessThanOrEqual(2);
      await client.end();
    },
  );

  test.runIf(kind === 'postgres')('short ones are ended by the server', async () => {
    const asleep = { ...one, sql: 'select 1 as n from pg_sleep(60)' };
    await expect(store.readForOperator(asleep)).rejects.toThrow(
      /took longer than 5 s; request less/,
    );
    expect(await store.readForOperator(one)).toBe(1);
  });

  test('fail once the store is closed', async () => {
    const path = join(folder, 'other.db');
    const other = await openAt(path, (await server?.database()) ?? '');
    expect(await other.readForOperator(one)).toBe(1);
    await other.close();
    await expect(other.readForOperator(one)).rejects.toThrow(StoreError);
    await expect(other.read({ ...one, isLong: true })).rejects.toThrow(StoreError);
  });
});

test('a thread that ends fails its queries, and the next query has another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-reader-'));
  const path = join(folder, 'gateway.db');
  const database = new DatabaseSync(path);
  const started: Worker[] = [];
  const reader = createReader(path, (file) => {
    const worker = startWorker(file);
    started.push(worker);
    return worker;
  });
  const first = Promise.allSettled([reader.read(one), reader.read(slow), reader.read(one)]);
  const [worker] = started;
  if (worker === undefined) throw new Error('no thread was started');
  const exit = once(worker, 'exit');
  await worker.terminate();
  await exit;
  for (const reading of await first) {
    if (reading.status === 'fulfilled') continue;
    expect(reading.reason).toBeInstanceOf(StoreError);
    expect(String(reading.reason)).toContain('the thread that reads the store has ended');
  }
  expect((await first).at(-1)?.status).toBe('rejected');
  expect(await reader.read(one)).toBe(1);
  expect(started).toHaveLength(2);
  await reader.close();
  database.close();
  await rm(folder, { recursive: true, force: true });
});

test('a query with more rows than the memory limit fails, and the next does not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-reader-'));
  const path = join(folder, 'gateway.db');
  new DatabaseSync(path).close();
  const reader = createReader(path, (file) => startWorker(file, { rowsMax: 2_500 }));
  const rows = (count: number) => ({
    ...{ sql: slow.sql.replace('count(*) as n', 'n'), values: [count] },
    map: (read: readonly unknown[]) => read.length,
  });
  expect(await reader.read(rows(2_500))).toBe(2_500);
  await expect(reader.read(rows(1_000_000_000))).rejects.toThrow(
    'more than 2500 rows; request less',
  );
  expect(await reader.read(rows(1_001))).toBe(1_001);
  await reader.close();
  await rm(folder, { recursive: true, force: true });
});

test.runIf(process.platform === 'linux')(
  'the query thread has a lower priority than all others',
  async () => {
    const own = getPriority();
    const last = Math.min(19, own + 10);
    const before = threadsAt(last);
    const worker = startWorker(join(tmpdir(), 'never-opened.db'));
    worker.postMessage({ id: 1, statement: { sql: 'select 1 as n', values: [] } });
    await once(worker, 'message');
    expect(threadsAt(last)).toBe(before + 1);
    expect(getPriority()).toBe(own);
    await worker.terminate();
  },
);

/** The number of threads of this process with a priority, as Linux reports it. */
function threadsAt(nice: number): number {
  const threads = readdirSync('/proc/self/task');
  const stats = threads.map((id) => readFileSync(`/proc/self/task/${id}/stat`, 'utf8'));
  // A thread's name is in brackets and may have spaces; the 17th field behind it is its own.
  const behind = stats.map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '));
  return behind.filter((fields) => fields[16] === `${nice}`).length;
}

/** A file, or a server where there is one. */
function openAt(path: string, url: string): Promise<Store> {
  const target =
    url === '' ? { kind: 'sqlite' as const, path } : { kind: 'postgres' as const, url };
  return openStore({
    ...{ target, log: silentLog },
    onDeath(error) {
      throw error;
    },
  });
}
