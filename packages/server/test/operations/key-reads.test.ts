import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import type { IssuedKey } from '../../src/operations/documents/keys.ts';
import { disableKey, enableKey, issueKey } from '../../src/operations/keys/keys.ts';
import { findAnything } from '../../src/operations/today/find-anything.ts';
import type { Query, Store } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn } from '../conformance/subject.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { storeKinds } from '../support/shared-stack.ts';

const nowMs = Date.UTC(2026, 10, 23, 12, 30);
const keysOfApp = 12;

describe.each(storeKinds)('with many keys on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let store: Store;
  const issued: IssuedKey[] = [];
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    const url = await postgres?.database();
    store =
      url === undefined
        ? openDirectStore(':memory:')
        : await openPostgresStore({ url, log: silentLog });
    const admin = adminOn(store, nowMs);
    for (const app of ['search', 'tutor']) {
      await createApp(admin, app, {});
      for (let key = 0; key < keysOfApp; key++) {
        const request = { app, email: `user${key}@acme.example` };
        issued.push(await issueKey(admin, { ...request, limits: { dailyPicoUsd: 5n } }));
      }
    }
  });
  afterAll(async () => {
    await store.close();
    await postgres?.close();
  });

  /** The reads of the store by some work: the most rows of one read, on which connection. */
  async function readsOf<T>(work: (admin: AdminContext) => Promise<T>) {
    const reads = { rowsMax: 0, isForOperator: true };
    const counted = <R>(query: Query<R>): Query<R> => ({
      ...query,
      map(rows) {
        reads.rowsMax = Math.max(reads.rowsMax, rows.length);
        return query.map(rows);
      },
    });
    const watched: Store = {
      ...store,
      read(query) {
        reads.isForOperator = false;
        return store.read(counted(query));
      },
      readForOperator: (query) => store.readForOperator(counted(query)),
    };
    const result = await work(adminOn(watched, nowMs)).catch((error: unknown) => error);
    return { result, ...reads };
  }

  test('one is disabled and enabled without reading all', async () => {
    const [{ id = '' } = {}] = issued;
    for (const change of [disableKey, enableKey]) {
      const { result, rowsMax } = await readsOf((admin) => change(admin, id));
      expect(result).toMatchObject({
        id,
        enabled: change === enableKey,
        dailyUsd: '0.000000000005',
      });
      expect(rowsMax).toBe(1);
    }
  });

  test('find reads only matches, as an operator query', async () => {
    const [, , , { id = '', name = '' } = {}] = issued;
    const finding = { apps: undefined, seesUsers: true, models: [] };
    for (const text of [id, id.slice(0, -1), name]) {
      const { result, rowsMax, isForOperator } = await readsOf((admin) =>
        findAnything(admin, text, finding),
      );
      expect(result).toEqual([
        { kind: 'key', label: `${id} · ${name}`, href: '/console/apps/search/keys' },
      ]);
      // The two apps are searched by name.
      expect([rowsMax, isForOperator]).toEqual([2, true]);
    }
  });

  test('an unknown id is compared with so many keys at most', async () => {
    const [{ id = '' } = {}] = issued;
    const mistyped = `${id}x`;
    const few = await readsOf((admin) => disableKey(admin, mistyped));
    expect(few.result).toMatchObject({ hint: `did you mean "${id}"?` });
    await addKeys(1_000, 'other');
    const many = await readsOf((admin) => disableKey(admin, mistyped));
    expect(many.result).toMatchObject({ hint: '', isUnknown: true });
    expect(many.rowsMax).toBe(1_001);
  });

  test('find gives a limited login only keys of its apps, also beyond a page', async () => {
    await addKeys(1_000, 'find');
    const values = ['zzz', 'find'];
    const last = `insert into api_key (id, key_hash, name, customer_id, enabled, created_at)
      select $1, $1, $2, customer_id, enabled, created_at from api_key
       where customer_id = 'tutor' limit 1`;
    await store.write([{ sql: last, values }]);
    const finding = { apps: ['tutor'], seesUsers: true, models: [] };
    const { result } = await readsOf((admin) => findAnything(admin, 'find', finding));
    expect(result).toEqual([
      { kind: 'key', label: 'zzz · find', href: '/console/apps/tutor/keys' },
    ]);
  });

  /** Of another app, as an import of many keys leaves them. */
  async function addKeys(count: number, name: string) {
    const sql = `insert into api_key (id, key_hash, name, customer_id, enabled, created_at)
      select $1 || id || $2, $1 || id || $2, $1, $1, enabled, created_at from api_key
       where customer_id = 'search'`;
    for (let added = 0; added < count; added += keysOfApp) {
      await store.write([{ sql, values: [name, String(added)] }]);
    }
  }
});
