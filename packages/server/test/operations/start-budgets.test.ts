import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readyStore } from '../../src/compose/ready-store.ts';
import type { BudgetConfig } from '../../src/domain/budget.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import {
  listBudgets,
  removeBudget,
  setBudget,
  showBudget,
} from '../../src/operations/budgets/budgets.ts';
import type { Store } from '../../src/store/port/port.ts';
import { seen } from '../../src/store/queries/instances.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { adminOn, count, openReplica } from '../store/support/books.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

const dollar = 10n ** 12n;

/** A file with only this entry; without an entry if undefined. */
const fileOf = (hash: string, change?: Partial<BudgetConfig>) => ({
  ...{ hash: hash.repeat(64), file: '/etc/gateway.yaml', apps: [] },
  budgets: change === undefined ? [] : [{ ...entry, ...change }],
});
const entry: BudgetConfig = {
  ...{ name: 'research', apps: ['search', 'tutor'], mode: 'enforce', isVisible: false },
  ...{ dailyPicoUsd: 10n * dollar, monthlyPicoUsd: undefined },
};

const audited = (store: Store) =>
  count(store, "select count(*) as n from audit_log where action like 'budget.%'");

/** The log lines of a start about budgets. */
async function startOn(store: Store, file: ReturnType<typeof fileOf>): Promise<readonly string[]> {
  const lines: string[] = [];
  const note = (facts: object, message: string) =>
    void (Object.hasOwn(facts, 'budget') && lines.push(message));
  await readyStore(adminOn(store), file, { ...silentLog, info: note, warn: note }, 'keep');
  return lines;
}

const created = 'budget created from the configuration file';
const changed = 'budget updated from the configuration file';
const removedLine = expect.stringMatching(
  /stays in effect; to remove it: "model-gateway budgets remove research --yes"/,
);

describe.each(['sqlite', 'postgres'] as const)('a start on %s', (kind) => {
  async function open() {
    const url = kind === 'sqlite' ? ':memory:' : await server.database();
    const store: Store = kind === 'sqlite' ? openDirectStore(url) : await openReplica(url);
    onTestFinished(() => store.close());
    const admin = adminOn(store);
    for (const name of ['search', 'tutor', 'other']) await createApp(admin, name, {});
    const start = (file: ReturnType<typeof fileOf>) => startOn(store, file);
    return { url, store, admin, start };
  }

  test('creates a budget of the file once, and applies the file’s changes', async () => {
    const { store, admin, start } = await open();
    expect(await start(fileOf('a', {}))).toEqual([created]);
    expect(await start(fileOf('a', {}))).toEqual([]);
    expect(await listBudgets(admin)).toMatchObject([
      { name: 'research', span: 'day', capUsd: '10', origin: 'file', apps: ['search', 'tutor'] },
    ]);
    const month = { monthlyPicoUsd: 90n * dollar };
    expect(await start(fileOf('b', { ...month, apps: ['search', 'other'] }))).toEqual([changed]);
    expect(await start(fileOf('b', { ...month, apps: ['other', 'search'] }))).toEqual([]);
    expect(await listBudgets(admin)).toMatchObject([
      { span: 'day', capUsd: '10', apps: ['other', 'search'] },
      { span: 'month', capUsd: '90', apps: ['other', 'search'] },
    ]);
    expect(await audited(store)).toBe(3);
  });

  test('leaves a command’s change, until the file changes it again', async () => {
    const { admin, start } = await open();
    await start(fileOf('a', {}));
    await setBudget(admin, 'research', { dailyPicoUsd: 7n * dollar, mode: 'shadow' }, []);
    expect(await start(fileOf('a', {}))).toEqual([]);
    expect(await start(fileOf('b', { isVisible: true }))).toEqual([changed]);
    expect(await showBudget(admin, 'research')).toMatchObject([
      { capUsd: '7', mode: 'shadow', visible: true },
    ]);
    expect(await start(fileOf('c', { isVisible: true, dailyPicoUsd: 12n * dollar }))).toEqual([
      changed,
    ]);
    expect(await showBudget(admin, 'research')).toMatchObject([{ capUsd: '12', mode: 'shadow' }]);
  });

  test('keeps a removed budget of the file in force, until a command removes it', async () => {
    const { admin, start } = await open();
    await start(fileOf('a', {}));
    expect(await start(fileOf('b'))).toEqual([removedLine]);
    expect(await start(fileOf('b'))).toEqual([removedLine]);
    expect(await listBudgets(admin)).toMatchObject([{ name: 'research', capUsd: '10' }]);
    // Back in the file it is the same budget.
    expect(await start(fileOf('a', {}))).toEqual([]);
    expect(await start(fileOf('b'))).toEqual([removedLine]);
    await removeBudget(admin, 'research');
    expect(await start(fileOf('b'))).toEqual([]);
    expect(await listBudgets(admin)).toEqual([]);
  });

  test('does not touch a command’s budget', async () => {
    const { admin, start } = await open();
    const own = { apps: ['other'], dailyPicoUsd: dollar };
    await setBudget(admin, 'research', own, []);
    expect(await start(fileOf('a', {}))).toEqual([
      'budget was created by a command; the configuration file does not change it',
    ]);
    expect(await start(fileOf('b'))).toEqual([]);
    expect(await listBudgets(admin)).toMatchObject([{ apps: ['other'], origin: 'command' }]);
  });

  test('rejects a budget over an app that does not exist, and changes nothing', async () => {
    const { admin, start } = await open();
    const typo = fileOf('a', { apps: ['serach', 'tutor', 'nothing-like-it'] });
    await expect(start(typo)).rejects.toThrow(
      [
        'budgets[0].apps: the app "serach" does not exist; did you mean "search"?',
        'budgets[0].apps: the app "nothing-like-it" does not exist; run "apps list"',
      ].join('\n'),
    );
    expect(await listBudgets(admin)).toEqual([]);
    // An app that left the file is in the store.
    expect(await start(fileOf('b', { apps: ['other'] }))).toEqual([created]);
  });

  test('of an older version blocks new ones, and is named', async () => {
    const { store, admin, start } = await open();
    const older = { id: 'instance_old', configHash: 'x', schemaVersion: undefined };
    await store.write([seen({ ...older, seenAt: adminOn(store).clock.now() })]);
    await expect(start(fileOf('a', {}))).rejects.toThrow(
      /instance_old runs an older version that supports only/,
    );
    expect(await listBudgets(admin)).toEqual([]);
    // A file without budgets starts in parallel.
    expect(await start(fileOf('b'))).toEqual([]);
  });
});

test('replicas that start at once create a budget once, and the last other file wins', async () => {
  const url = await server.database();
  const stores = await Promise.all([1, 2, 3].map(() => openReplica(url)));
  const [store] = stores;
  if (store === undefined) throw new Error('there is one');
  for (const name of ['search', 'tutor', 'other']) await createApp(adminOn(store), name, {});
  const logged = await Promise.all(stores.map((each) => startOn(each, fileOf('a', {}))));
  expect(logged.flat()).toEqual([created]);
  expect(await audited(store)).toBe(1);
  const caps = [20n, 30n, 40n].map((dollars) => dollars * dollar);
  const others = await Promise.all(
    stores.map((each, at) => startOn(each, fileOf(`${at}`, { dailyPicoUsd: caps[at] }))),
  );
  expect(others.flat()).toEqual([changed, changed, changed]);
  expect(await audited(store)).toBe(4);
  // Whichever was the last: a restart with that file finds nothing to change.
  const [{ capUsd = '' } = {}] = await listBudgets(adminOn(store));
  const last = fileOf('z', { dailyPicoUsd: BigInt(capUsd) * dollar });
  expect(['20', '30', '40']).toContain(capUsd);
  expect(await startOn(store, last)).toEqual([]);
  for (const each of stores) await each.close();
});
