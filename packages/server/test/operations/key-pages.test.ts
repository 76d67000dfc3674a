import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/lib/log.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import type { KeysPage } from '../../src/operations/documents/keys.ts';
import type { KeySearch } from '../../src/operations/keys/key-filters.ts';
import { countKeys, findKeys } from '../../src/operations/keys/key-page.ts';
import { disableKey, issueKey, rotateKey } from '../../src/operations/keys/keys.ts';
import type { Query, Store } from '../../src/store/port/port.ts';
import { noteUse } from '../../src/store/queries/key-use.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn } from '../conformance/subject.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openPostgresStore } from '../support/postgres-store.ts';
import { storeKinds } from '../support/shared-stack.ts';

const nowMs = Date.UTC(2026, 10, 23, 12, 30);
const hourMs = 3_600_000;
const many = 1_200;
const all = { apps: undefined };

describe.each(storeKinds)('pages of keys on %s', (kind) => {
  let postgres: TestPostgres | undefined;
  let store: Store;
  let admin: AdminContext;
  /** Ids of keys of the app "search", by their state. */
  let ids: Readonly<Record<'used' | 'old' | 'next' | 'ended' | 'idle', string>>;
  beforeAll(async () => {
    if (kind === 'postgres') postgres = await startPostgres();
    const url = await postgres?.database();
    store =
      url === undefined
        ? openDirectStore(':memory:')
        : await openPostgresStore({ url, log: silentLog });
    admin = adminOn(store, nowMs);
    for (const app of ['search', 'tutor', 'empty']) await createApp(admin, app, {});
    const issue = async (email: string, note: string, dailyPicoUsd = 5n) =>
      (await issueKey(admin, { app: 'search', email, limits: { note, dailyPicoUsd } })).id;
    const [used, old] = [
      await issue('ada@acme.example', 'a crawler', 9n),
      await issue('b@c.d', ''),
    ];
    const { id: next } = await rotateKey(adminOn(store, nowMs + 1), old, { graceMs: hourMs });
    const [ended, idle] = [await issue('b@c.d', 'Ended'), await issue('ada@acme.example', '')];
    await disableKey(admin, ended);
    ids = { used, old, next, ended, idle };
    await store.write([
      ...noteUse([used], nowMs - hourMs / 2),
      ...noteUse([old, ended], nowMs - 2 * hourMs),
      ...noteUse([idle], nowMs - 800 * hourMs),
    ]);
    await store.write([{ sql: manyKeys, values: [many] }]);
  });
  afterAll(async () => {
    await store.close();
    await postgres?.close();
  });

  const search = (given: Partial<KeySearch>, scope: Parameters<typeof findKeys>[1] = all) =>
    findKeys(admin, scope, { ...none, ...given });
  const idsOf = ({ items }: KeysPage) => items.map(({ id }) => id);
  const ofSearch = async (given: Partial<KeySearch>) =>
    idsOf(await search(given, { ...all, app: 'search' }));

  test('every key is on one page, in both directions', async () => {
    for (const sort of [undefined, '-app', 'used'] as const) {
      const listedIds: string[] = [];
      const cursors: string[] = [''];
      let page = await search({ limit: 500, sort });
      for (; page.after !== null; page = await search({ limit: 500, sort, after: page.after })) {
        expect([page.first, page.count]).toEqual([listedIds.length + 1, many + 5]);
        listedIds.push(...idsOf(page));
        cursors.push(page.after);
      }
      expect(page.before).toBe(cursors.at(-2));
      const last = await search({ limit: 500, sort, after: cursors[1] });
      expect([last.before, last.first]).toEqual(['', 501]);
      listedIds.push(...idsOf(page));
      expect([listedIds.length, new Set(listedIds).size]).toEqual([many + 5, many + 5]);
    }
  });

  test('an open rotation comes first, the new key before the old one', async () => {
    const page = await search({ limit: 2 });
    expect(page).toMatchObject({ first: 1, before: null, after: ids.old });
    expect(page.items).toMatchObject([
      { id: ids.next, state: 'new', contact: 'b@c.d', rotatedFrom: ids.old },
      { id: ids.old, state: 'replaced', replacedBy: ids.next },
    ]);
    expect(page.items[0]).not.toHaveProperty('replacedBy');
    const sorted = await search({ limit: 2, sort: '-budget' });
    expect(sorted.items[0]).toMatchObject({ id: ids.used, state: 'active' });
  });

  test('filters leave the keys that match', async () => {
    const { used, old, next, ended, idle } = ids;
    const sort = 'key';
    const sorted = (...some: string[]) => some.toSorted();
    expect(await ofSearch({ state: 'rotating', sort })).toEqual(sorted(old, next));
    expect(await ofSearch({ state: 'disabled' })).toEqual([ended]);
    expect(await ofSearch({ state: 'used', sort })).toEqual(sorted(used, old, idle));
    expect(await ofSearch({ state: 'all' })).toHaveLength(5);
    expect(await ofSearch({ contact: 'ada@acme.example', sort })).toEqual(sorted(used, idle));
    expect(await ofSearch({ find: 'CRAWL' })).toEqual([used]);
    expect(await ofSearch({ find: 'ende' })).toEqual([ended]);
    expect(await ofSearch({ find: idle })).toEqual([idle]);
    expect(await ofSearch({ find: 'nothing' })).toEqual([]);
    expect(await ofSearch({ used: 'hour' })).toEqual([used]);
    expect(await ofSearch({ used: 'day', sort })).toEqual(sorted(used, old, ended));
    expect(await ofSearch({ used: 'idle' })).toEqual([idle]);
    expect(await ofSearch({ used: 'never' })).toEqual([next]);
    expect(await ofSearch({ sort: '-used', limit: 1 })).toEqual([used]);
    expect(idsOf(await search({ sort: 'created' }, { ...all, key: next }))).toEqual([old, next]);
    const narrowed = await search({ find: 'acme', used: 'hour', limit: 1 });
    expect(narrowed).toMatchObject({ count: 1, after: null });
  });

  test('a page continues after a key that no longer matches', async () => {
    const [first] = await ofSearch({ sort: 'key', limit: 1 });
    const rest = await ofSearch({ sort: 'key', contact: 'b@c.d', after: first });
    expect(rest).toEqual([ids.old, ids.next, ids.ended].filter((id) => id !== first).toSorted());
  });

  test('counts states, apps, contacts and open rotations', async () => {
    const counts = await countKeys(admin, all);
    expect(counts).toMatchObject({
      states: { all: many + 5, used: 3, rotating: 2, disabled: 1 },
      apps: [
        { value: 'tutor', count: many },
        { value: 'search', count: 5 },
      ],
      openRotations: { count: 1, first: [{ id: ids.old, app: 'search' }] },
    });
    expect(counts.contacts).toHaveLength(200);
    const own = await countKeys(admin, { ...all, app: 'search' });
    expect(own.contacts).toEqual([
      { value: 'b@c.d', count: 3 },
      { value: 'ada@acme.example', count: 2 },
    ]);
  });

  test('a limited login sees only the keys of its apps', async () => {
    const limited = { apps: ['search'] };
    expect(await search({ limit: 500 }, limited)).toMatchObject({ count: 5, after: null });
    expect((await countKeys(admin, limited)).apps).toEqual([{ value: 'search', count: 5 }]);
    await expect(search({ after: 'tutor1' }, limited)).rejects.toThrow('must be a key id');
  });

  test('an app without keys has an empty page, and an unknown one is rejected', async () => {
    const empty = await search({ limit: 5 }, { ...all, app: 'empty' });
    expect(empty).toEqual({ items: [], after: null, before: null, first: 1, count: 0 });
    const unknown = { ...all, app: 'none' };
    await expect(search({}, unknown)).rejects.toThrow('unknown app');
    await expect(countKeys(admin, unknown)).rejects.toThrow('unknown app');
  });

  test('documents are created only for the keys of the page', async () => {
    const reads: number[] = [];
    const watched: Store = {
      ...store,
      readForOperator<T>(query: Query<T>) {
        reads.push(1);
        return store.readForOperator(query);
      },
    };
    const page = await findKeys(adminOn(watched, nowMs), all, { ...none, limit: 3 });
    expect(page.items).toHaveLength(3);
    expect(reads.length).toBeLessThan(15);
  });
});

const none = {
  ...{ find: undefined, state: undefined, contact: undefined, used: undefined },
  ...{ sort: undefined, after: undefined, limit: undefined },
};

const manyKeys = `
  insert into api_key (id, key_hash, name, customer_id, enabled, created_at)
  with recursive n(i) as (select 1 union all select i + 1 from n where i < $1)
  select 'tutor' || i, 'hash' || i, 'llm::user::tutor::team' || i || '@acme.example', 'tutor', 1, i
    from n`;
