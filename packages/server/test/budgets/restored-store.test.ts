import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { utcDayOf } from '../../src/lib/clock.ts';
import { reopenAll } from '../../src/operations/days/reopen.ts';
import { issueKey } from '../../src/operations/keys/keys.ts';
import { reopenWallets } from '../../src/operations/wallets/wallets.ts';
import type { Store } from '../../src/store/port/port.ts';
import { createEpochs } from '../../src/store/sqlite/epochs.ts';
import { openStack, type Stack } from '../support/stack.ts';
import { chat } from './support/caps.ts';

const noonMs = Date.UTC(2026, 10, 21, 12);
const dayMs = 86_400_000;
const dollar = 10n ** 12n;
const users = 1_000;

const yamlOn = (path: string) => `
company: acme
store: "sqlite:${path}"
platforms: { sandbox: { kind: simulator } }
apps:
  - { name: daily, dailyBudgetUsd: "5" }
  - { name: monthly, monthlyBudgetUsd: "50" }
  - { name: users, perUserDailyUsd: "1" }
  - { name: member }
  - { name: keyed }
  - { name: metered, credits: { monthlyGrant: "100", usdPerCredit: "0.01" } }
  - { name: free }
budgets:
  - { name: lab, apps: [member], dailyUsd: "9" }
`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-restored-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const apps = ['daily', 'monthly', 'users', 'member', 'keyed', 'metered', 'free'] as const;

/** Runs a service on the file from a time on. Returns its log messages. */
async function onService(startMs: number, work: (stack: Stack) => Promise<void>) {
  const path = join(folder, 'gateway.db');
  const wrapStore = (store: Store) => withEpochs(store, path);
  const stack = await openStack({ yaml: yamlOn(path), startMs, wrapStore });
  try {
    await work(stack);
    expect(await stack.audit()).toMatchObject({ clean: true });
  } finally {
    await stack.close();
  }
  return stack.logLines.map(({ message }) => message).join('\n');
}

/** The stack's store has no thread, and therefore no epochs. */
function withEpochs(store: Store, path: string): Store {
  const database = new DatabaseSync(path);
  const epochs = createEpochs(database, path);
  return {
    ...store,
    epochs: {
      readOrigin: async () => epochs.readOrigin(),
      begin: async (storeId) => epochs.begin(storeId),
      end: async () => epochs.end(),
    },
    async close() {
      epochs.end();
      database.close();
      await store.close();
    },
  };
}

/** Copies the file of a stopped service away, or back. The files next to it stay. */
async function copy(from: string, to: string) {
  await copyFile(join(folder, from), join(folder, to));
  for (const end of ['-wal', '-shm']) await rm(join(folder, `${to}${end}`), { force: true });
}

test.each([
  ['a minute', 60_000],
  ['a day', dayMs],
  ['a month', 31 * dayMs],
])('a store that is %s old and has 1,000 users grants no budget twice', async (_, ageMs) => {
  const keys = new Map<string, string>();
  const scopeOf = async (stack: Stack, app: string, userId = 'ada') => {
    const headers = { 'x-api-key': keys.get(app) ?? '' };
    const body = { ...chat.body(100), userId };
    const answer = await stack.post('free', chat.path, body, { headers });
    const { error } = Object(JSON.parse(await stack.clock.run(answer.text())));
    return error === undefined ? 'OK' : (answer.headers.get('x-budget-scope') ?? error.code);
  };
  const allOf = async (stack: Stack) =>
    Promise.all(apps.map(async (app) => [app, await scopeOf(stack, app)]));
  const everyOk = apps.map((app) => [app, 'OK']);

  await onService(noonMs, async (stack) => {
    for (const app of apps) {
      const limits = app === 'keyed' ? { limits: { monthlyPicoUsd: 9n * dollar } } : {};
      const issue = issueKey(stack.admin, { app, email: 'team@acme.example', ...limits });
      keys.set(app, (await stack.clock.run(issue)).key);
    }
    await stack.clock.run(stack.service.registry.refresh());
    await stack.store.write([addUsers(utcDayOf(noonMs))]);
    expect(await allOf(stack)).toEqual(everyOk);
  });
  await copy('gateway.db', 'backup.db');
  // The restore loses these calls.
  await onService(noonMs + 30_000, async (stack) => {
    expect(await allOf(stack)).toEqual(everyOk);
  });
  await copy('backup.db', 'gateway.db');

  const log = await onService(noonMs + ageMs, async (stack) => {
    const { admin, clock } = stack;
    expect(await allOf(stack)).toEqual([
      ...[
        ['daily', 'app-day'],
        ['monthly', 'app-month'],
        ['users', 'user-day'],
      ],
      ...[
        ['member', 'group-day:lab'],
        ['keyed', 'key-month'],
      ],
      ...[
        ['metered', 'INSUFFICIENT_CREDITS'],
        ['free', 'OK'],
      ],
    ]);
    for (const user of ['u1', 'u500', `u${users}`, 'never-seen']) {
      expect(await scopeOf(stack, 'users', user)).toBe('user-day');
      expect(await scopeOf(stack, 'metered', user)).toBe('INSUFFICIENT_CREDITS');
    }
    const opened = await clock.run(reopenAll(admin, undefined));
    expect(opened.budgets).toHaveLength(4);
    expect(opened.days).toMatchObject([{ app: 'daily' }]);
    await clock.run(reopenWallets(admin));
    expect(await allOf(stack)).toEqual(everyOk);
  });
  expect(log).toContain('calls might be lost, so budgets are closed: app:monthly (month)');
  expect(log).toContain('"model-gateway days reopen --all" opens all budgets');
  // Reopened budgets stay open after a restart.
  const next = await onService(noonMs + ageMs + 60_000, async (stack) => {
    expect(await allOf(stack)).toEqual(everyOk);
  });
  expect(next).not.toContain('closed');
});

/** Users with a row of the day, as after many calls that have ended. */
function addUsers(day: string) {
  const sql = `
    insert into budget_scope
      (scope, period, cap, mode, admitted_cap, brought, spent, held, estimated, overrun, pruned,
       would_refuse, would_refuse_amount)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < $2)
    select 'user:users:u' || n, $1, ${dollar}, 'enforce', null, 0, 0, 0, 0, 0, 0, 0, 0
      from numbers`;
  return { sql, values: [day, users] };
}
