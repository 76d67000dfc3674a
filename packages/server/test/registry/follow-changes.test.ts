import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createApp, updateApp } from '../../src/operations/apps/apps.ts';
import { removeBudget, setBudget } from '../../src/operations/budgets/budgets.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import { disableKey, enableKey, issueKey, rotateKey } from '../../src/operations/keys/keys.ts';
import { bindProject, deleteBindings } from '../../src/operations/projects/bindings.ts';
import type { Registry } from '../../src/registry/registry.ts';
import type { Statement, Store } from '../../src/store/port/port.ts';
import { selectBindings, selectRevision } from '../../src/store/queries/registry.ts';
import { revisionsRetained } from '../../src/store/queries/registry-changes.ts';
import { adminOn, count } from '../store/support/books.ts';
import { bump, countReads, linesOf, openings, openOn } from './support/registry-store.ts';

const email = 'team@acme.example';

describe.each(openings)('on %s', (_name, open) => {
  let store: Store;
  let admin: AdminContext;
  let close: () => Promise<void>;
  let registries: Registry[];
  beforeEach(async () => {
    const { remove, ...opened } = await open();
    registries = [];
    store = opened.store;
    admin = adminOn(store);
    close = async () => {
      await Promise.all(registries.map((registry) => registry.stop()));
      await remove();
    };
    await createApp(admin, 'search', {});
    await createApp(admin, 'tutor', {});
  });
  afterEach(() => close());

  const issue = () => issueKey(admin, { app: 'search', email });
  const bind = (app: string, projectId: string) =>
    bindProject(admin, { app, platform: 'hosted', projectId });
  /** Opens a registry, and counts what it reads from then on. */
  async function follow(onAside?: (count: number) => Promise<void>) {
    const counted = countReads(store, onAside);
    const registry = await openOn(counted);
    registries.push(registry);
    Object.assign(counted.counts, { rows: 0, operatorReads: 0 });
    return { registry, counts: counted.counts };
  }
  const write = (...statements: readonly Statement[]) => store.write(statements);

  test('each change has a line for each changed row', async () => {
    const lines = (action: () => Promise<unknown>) => linesOf(store, action);
    expect(await lines(() => createApp(admin, 'new', {}))).toEqual(['app new']);
    expect(await lines(() => updateApp(admin, 'new', { enabled: false }))).toEqual(['app new']);
    const key = await issue();
    expect(await lines(() => disableKey(admin, key.id))).toEqual([`key ${key.id}`]);
    expect(await lines(() => enableKey(admin, key.id))).toEqual([`key ${key.id}`]);
    const rotated = await lines(() => rotateKey(admin, key.id, { graceMs: 60_000 }));
    expect(rotated).toHaveLength(2);
    expect(rotated).toContain(`key ${key.id}`);
    expect(await lines(() => bind('search', 'proj_1'))).toEqual(['binding search']);
    expect(await lines(() => bind('search', 'proj_2'))).toEqual(['binding search']);
    expect(await lines(() => deleteBindings(admin))).toEqual(['binding search']);
    const month = { monthlyBudgetPicoUsd: 5n };
    const ofApp = await lines(() => updateApp(admin, 'tutor', month));
    expect(ofApp).toEqual(['app tutor', 'budget app:tutor']);
    const group = { apps: ['search'], monthlyPicoUsd: 1n };
    expect(await lines(() => setBudget(admin, 'all', group, []))).toEqual(['budget group:all']);
    expect(await lines(() => removeBudget(admin, 'all'))).toEqual(['budget group:all']);
  });

  test.each([
    ['a key', 'delete from api_key', 'key'],
    ['an app', "delete from app where name = 'tutor'", 'app'],
    ['a binding', 'delete from project_binding', 'binding'],
    ['a budget', 'delete from budget_definition', 'budget'],
  ])('%s that is deleted has a line, and disappears', async (_what, sql, kind) => {
    const { id, key } = await issue();
    await bind('search', 'proj_1');
    await setBudget(admin, 'all', { apps: 'all', monthlyPicoUsd: 1n }, []);
    const { registry, counts } = await follow();
    const ids = { key: id, app: 'tutor', binding: 'search', budget: 'group:all' };
    const line = Object.entries(ids).flatMap(([of, name]) =>
      of === kind ? [`${of} ${name}`] : [],
    );
    expect(await linesOf(store, () => write(bump, { sql, values: [] }))).toEqual(line);
    await registry.refresh();
    expect(counts.operatorReads).toBe(0);
    const scopes = registry.scopesOf({
      app: 'search',
      keyId: id,
      userId: undefined,
      day: '2026-11-28',
    });
    expect({
      key: registry.key(key) === undefined,
      app: registry.app('tutor') === undefined,
      binding: registry.app('search')?.projectIds.size === 0,
      budget: scopes.length === 0,
    }).toEqual({ key: false, app: false, binding: false, budget: false, [kind]: true });
  });

  test('a rejected change has no line, and no revision', async () => {
    const before = await store.read(selectRevision);
    await expect(createApp(admin, 'search', {})).rejects.toThrow(/already exists/);
    await bind('search', 'proj_1');
    const since = await store.read(selectRevision);
    await expect(bind('tutor', 'proj_1')).rejects.toThrow(/each app needs its own project/);
    expect(since).toBe(before + 1n);
    expect(await store.read(selectRevision)).toBe(since);
    expect(await count(store, "select count(*) as n from registry_change where id = 'tutor'")).toBe(
      1,
    );
  });

  test('one change among hundreds of keys and apps is a few rows', async () => {
    const keyRows = Array.from({ length: 300 }, (_, n) => keyOf(n));
    const apps = Array.from({ length: 40 }, (_, n) => `app-${n}`);
    for (const name of apps) await createApp(admin, name, {});
    await write(bump, ...keyRows);
    const { registry, counts } = await follow();
    const { key } = await issue();
    await registry.refresh();
    expect(registry.key(key)?.customerId).toBe('search');
    // The revision, two times its line, the revision of budgets, the key.
    expect(counts).toEqual({ rows: 5, operatorReads: 0 });
    await registry.refresh();
    expect(counts).toEqual({ rows: 6, operatorReads: 0 });
    await bind('tutor', 'proj_1');
    await registry.refresh();
    expect(registry.app('tutor')?.projectIds).toEqual(new Map([['hosted', 'proj_1']]));
    expect(counts.operatorReads).toBe(0);
    expect(counts.rows).toBeLessThan(15);
  });

  test('changes of a version before lines are followed', async () => {
    const { id, key } = await issue();
    await bind('search', 'proj_1');
    const { registry, counts } = await follow();
    await write(bump, { sql: 'update api_key set enabled = 0 where id = $1', values: [id] });
    await registry.refresh();
    expect(registry.key(key)).toBeUndefined();
    expect(registry.closedKey(key)?.reason).toBe('disabled');
    const destroyed = 'delete from project_binding where app = $1 and platform = $2';
    await write(bump, { sql: destroyed, values: ['search', 'hosted'] });
    await registry.refresh();
    expect(registry.app('search')?.projectIds.size).toBe(0);
    expect(counts.operatorReads).toBe(0);
  });

  test('a revision without a line makes it read all rows', async () => {
    const { id, key } = await issue();
    const { registry, counts } = await follow();
    await write({ sql: 'update api_key set enabled = 0 where id = $1', values: [id] });
    await registry.refresh();
    expect(registry.key(key)?.id).toBe(id);
    expect(counts.operatorReads).toBe(0);
    await write(bump);
    await createApp(admin, 'new', {});
    await registry.refresh();
    expect(registry.key(key)).toBeUndefined();
    expect(registry.app('new')?.name).toBe('new');
    expect(counts.operatorReads).toBeGreaterThan(0);
  });

  test('a service without contact for longer than lines are stored reads all rows', async () => {
    const { registry, counts } = await follow();
    const before = await issue();
    await write({
      sql: `update revision set value = value + ${revisionsRetained - 1}`,
      values: [],
    });
    await issue();
    const old = 'select count(*) as n from registry_change';
    expect(await count(store, old)).toBe(1);
    await registry.refresh();
    expect(registry.key(before.key)?.id).toBe(before.id);
    expect(counts.operatorReads).toBeGreaterThan(0);
  });

  test('a revision that has lost some of its lines is read with all rows', async () => {
    const old = Array.from({ length: 600 }, (_, n) => keyOf(n));
    const { registry, counts } = await follow();
    await write(bump, ...old);
    await write({
      sql: `update revision set value = value + ${revisionsRetained - 1}`,
      values: [],
    });
    await issue();
    const left =
      'select count(*) as n from registry_change where revision < (select value from revision)';
    // An issue deletes 500 lines: two of apps, and all but these of keys.
    expect(await count(store, left)).toBe(102);
    await registry.refresh();
    expect(['key-0', 'key-599'].map((id) => registry.keyOfId(id)?.id)).toEqual([
      'key-0',
      'key-599',
    ]);
    expect(counts.operatorReads).toBeGreaterThan(0);
    await issue();
    expect(await count(store, left)).toBe(1);
  });

  test('more changes than are read one by one are read with all rows', async () => {
    const { registry, counts } = await follow();
    const keys = Array.from({ length: 5_001 }, (_, n) => keyOf(n));
    await write(bump, ...keys.slice(1));
    await registry.refresh();
    expect(counts.operatorReads).toBe(0);
    await write(bump, { sql: "update api_key set note = 'x'", values: [] }, ...keys.slice(0, 1));
    await registry.refresh();
    expect(counts.operatorReads).toBeGreaterThan(0);
    expect(registry.keyOfId('key-0')?.id).toBe('key-0');
    expect(registry.keyOfId('key-5000')?.id).toBe('key-5000');
  });

  test('a change between two pages is not missed', async () => {
    const keys: string[] = [];
    const each = async () => {
      const { id, key } = await issue();
      keys.push(key);
      if (keys.length === 3) await disableKey(admin, id);
      if (keys.length === 4) await bind('search', 'proj_1');
    };
    const { registry } = await follow(each);
    expect(keys.length).toBeGreaterThan(5);
    expect(keys.flatMap((key, at) => (registry.key(key) === undefined ? [at] : []))).toEqual([2]);
    expect(registry.app('search')?.projectIds).toEqual(new Map([['hosted', 'proj_1']]));
    expect((await store.read(selectBindings)).map(({ app }) => app)).toEqual(['search']);
  });
});

/** A key as a row: the command creates them one by one. */
function keyOf(n: number): Statement {
  const sql = `
    insert into api_key (id, key_hash, name, customer_id, enabled, created_at)
    values ($1, $2, 'llm::user::tutor::team@acme.example', 'tutor', 1, 0)`;
  return { sql, values: [`key-${n}`, `${n}`.padStart(64, '0')] };
}
