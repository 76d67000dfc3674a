import { copyFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { correctCall } from '../../src/operations/calls/corrections.ts';
import { closeDays } from '../../src/operations/days/days.ts';
import { reopenDay } from '../../src/operations/days/reopen.ts';
import { ringFileOf } from '../../src/store/sqlite/file/ring-file.ts';
import { adminOn } from '../../test/store/support/books.ts';
import type { Served } from '../../test/support/process.ts';
import { openReplicaStores } from './replica-stores.ts';
import { callers, expectHonestBooks, openStoreAt, type Replicas, type Seen } from './replicas.ts';

const stores = openReplicaStores();
let replicas: Replicas;

/** Copies a store at one point in time; returns the URL of the copy. */
async function copyOf({ databaseUrl, folder, store }: Replicas): Promise<string> {
  if (databaseUrl.startsWith('sqlite:')) {
    const file = `${folder}/copy.db`;
    await store.read({ sql: `vacuum into '${file}'`, values: [], map: () => undefined });
    // As the documents require: without it no line of the audit log can be verified.
    await copyFile(ringFileOf(databaseUrl.slice('sqlite:'.length)), ringFileOf(file));
    return `sqlite:${file}`;
  }
  const source = new URL(databaseUrl).pathname.slice(1);
  const copy = new URL(databaseUrl);
  copy.pathname = `/${source}_copy`;
  const elsewhere = new URL(databaseUrl);
  elsewhere.pathname = '/postgres';
  const client = new pg.Client(elsewhere.href);
  await client.connect();
  // A database is copied while nobody is connected to it.
  await until(async () => {
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [source],
    );
    return client.query(`create database ${source}_copy template ${source}`).then(
      () => true,
      () => false,
    );
  });
  await client.end();
  return copy.href;
}

/** Some calls on a service, all of which are answered. */
async function work(served: Served, calls: number): Promise<Seen> {
  const seen: Seen = { answered: [], errors: [] };
  const goesOn = () => seen.answered.length < calls;
  const { apiKey } = replicas;
  await callers({ url: served.url, apiKey, seen, count: 10, goesOn }, () => 'sim-echo');
  expect(seen.errors).toEqual([]);
  return seen;
}

/** The code of one more call. */
async function codeOf(served: Served): Promise<string> {
  const seen: Seen = { answered: [], errors: [] };
  const goesOn = () => seen.answered.length + seen.errors.length === 0;
  const { apiKey } = replicas;
  await callers({ url: served.url, apiKey, seen, count: 1, goesOn }, () => 'sim-echo');
  return seen.errors[0]?.code ?? 'OK';
}

test.each(stores.all)(
  'a restored ledger on %s closes the day of which it lost a part',
  async (_name, open) => {
    replicas = await open();
    const first = await replicas.start();
    const kept = await work(first, 30);
    expect(await first.end('SIGTERM')).toBe(0);
    const copyUrl = await copyOf(replicas);
    const second = await replicas.start();
    await work(second, 30);
    expect(await second.end('SIGKILL')).toBe('SIGKILL');

    const store = await openStoreAt(copyUrl);
    const restored = { ...replicas, store };
    // The platform has billed more than the copy contains.
    await expect(expectHonestBooks(restored, kept)).rejects.toThrow();
    const admin = adminOn(store);
    const [closed] = await closeDays(admin, { app: undefined, day: undefined, picoUsd: undefined });
    await expectHonestBooks(restored, kept);
    const third = await replicas.start(copyUrl);
    expect(await codeOf(third)).toBe('BUDGET_EXCEEDED');

    // The operator reads the bill, and books the loss: the rest of the day is open again.
    const billed = replicas.simulator.simulator.bill().total.costPicoUsd;
    const known = kept.answered.reduce((sum, { cost }) => sum + picoUsdOf(cost.usd), 0n);
    await correctCall(admin, {
      callId: closed?.callId ?? '',
      usd: formatUsd(billed - known),
    });
    expect(await codeOf(third)).toBe('OK');
    const spent = await store.read({
      sql: 'select cast(sum(spent) as bigint) as spent from budget_day',
      values: [],
      map: ([row]) => row?.spent,
    });
    expect(spent).toBe(replicas.simulator.simulator.bill().total.costPicoUsd);
    await expectHonestBooks(restored, kept);

    // Without a loss, the closing is undone, and corrections stay.
    await closeDays(admin, { app: undefined, day: undefined, picoUsd: undefined });
    expect(await codeOf(third)).toBe('BUDGET_EXCEEDED');
    expect(await reopenDay(admin, { app: 'search', day: undefined })).toHaveLength(1);
    expect(await codeOf(third)).toBe('OK');
    await expectHonestBooks(restored, kept);
    expect(await third.end('SIGTERM')).toBe(0);
    await store.close();
  },
);

function picoUsdOf(usd: string | null): bigint {
  const [whole = '', part = ''] = (usd ?? '').split('.');
  return BigInt(whole + part.padEnd(12, '0'));
}
