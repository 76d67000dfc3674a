import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pause } from '../../../../harness/pause.ts';
import { rollUp } from '../../src/ledger/rollups.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { firstCallIdAt } from '../../src/lib/id.ts';
import { createApp } from '../../src/operations/apps/apps.ts';
import type { Statement, Store } from '../../src/store/port/port.ts';
import { lockBudgets, shareBudgets } from '../../src/store/postgres/budgets-lock.ts';
import { lockBudgetDays } from '../../src/store/postgres/statements.ts';
import { putErasure } from '../../src/store/queries/erasures.ts';
import { pruneStep } from '../../src/store/sums/prune-calls.ts';
import { putUser, selectUsersOf, unlessMoved } from '../../src/store/sums/rebuild.ts';
import { renameCalls } from '../../src/store/sums/rename-calls.ts';
import { renameRest } from '../../src/store/sums/rename-rest.ts';
import { rollUpStep, selectRollupState } from '../../src/store/sums/rollups.ts';
import { type Operations, operationsOf } from '../../test/conformance/operations.ts';
import { adminOn, openReplica } from '../../test/store/support/books.ts';
import { type OwnPostgres, startOwnPostgres } from '../../test/support/postgres-own.ts';

const dayMs = 86_400_000;
const tenth = Date.UTC(2026, 9, 10, 12);
const horizon = '2026-10-15';
const ada = { app: 'search', userId: 'ada', pseudonym: 'u_ada' } as const;
const others = ['ant', 'bee', 'cow', 'dog', 'elk', 'search'];
const of = { app: 'search', granted: 100n } as const;

let server: OwnPostgres;
let url: string;
let store: Store;
let one: pg.Client;
let other: pg.Client;
beforeAll(async () => {
  // A deadlock is found at once.
  server = await startOwnPostgres(['fsync=off', 'deadlock_timeout=20ms']);
  url = await server.database();
  store = await openReplica(url);
  [one, other] = await Promise.all([connect(), connect()]);
  await openOctober();
});
afterAll(async () => {
  await Promise.all([store.close(), one.end(), other.end()]);
  await server.close();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  return client;
}

/** The 10th is in the rollups and was corrected later; the 20th, of the same month, is not. */
async function openOctober() {
  // The rows of the last app by name are written first.
  for (const [index, app] of others.toReversed().entries()) {
    await createApp(adminOn(store), app, {});
    const late = operationsOf({ app, userId: undefined, granted: undefined, now: tenth });
    await book(late, idAt(tenth + 100 + index));
  }
  for (const ms of [tenth, tenth + 10 * dayMs]) {
    for (const [index, userId] of ['ada', 'bob', ada.pseudonym].entries()) {
      await book(operationsOf({ ...of, userId, now: ms }), idAt(ms + index));
    }
    if (ms === tenth) await rollUp({ store, clock: at(ms + dayMs) });
  }
  const { correct } = operationsOf({ ...of, userId: 'ada', now: tenth });
  await store.commit([correct(idAt(tenth), 3n)]);
  await store.write([putErasure({ ...ada, through: '2026-10', askedAt: 1, doneAt: undefined })]);
}

async function book(whose: Operations, callId: string) {
  await store.commit([whose.reserve(callId, 9n), whose.settle(callId, 7n)]);
}

const at = (ms: number) => ({ ...systemClock, now: () => ms });
const idAt = (ms: number) => `${firstCallIdAt(ms)}${'0'.repeat(16)}`;

/** All changes of the rollups, each as one transaction. */
async function transactions(): Promise<ReadonlyMap<string, readonly Statement[]>> {
  const state = await store.read(selectRollupState);
  const from = state?.rolledUntil ?? '';
  const users = await store.read(selectUsersOf('2026-10'));
  const now = tenth + 40 * dayMs;
  const closed = { day: '2026-11-01', month: '2026-11', endedMs: now, lostMs: now };
  const whole = { from: idAt(tenth), until: idAt(tenth + 11 * dayMs) };
  const rest = { goesOn: false, reference: 'carried_1', monthMs: tenth, nowMs: now };
  return new Map([
    ['a step of sums', rollUpStep(from, firstCallIdAt(tenth + 20 * dayMs))],
    ['a step of a prune', pruneStep({ after: '', until: idAt(now) }, horizon, false)],
    ['names of calls', renameCalls(ada, whole, closed, [])],
    ['names beside calls', renameRest(ada, { ...closed, ...rest })],
    ['sums made anew', [unlessMoved(from, 0), ...users.toReversed().map(putUser)]],
  ]);
}

test('all changes of rollups wait for each other in one order', async () => {
  const all = await transactions();
  const met: string[] = [];
  for (const [one, first] of all) {
    for (const [other, second] of all) {
      for (let done = 1; done < texts(first).length; done++) {
        for (const error of await meet(first, done, second)) {
          met.push(`${one}, ${done} done, and ${other}: ${error}`);
        }
      }
    }
  }
  expect(met).toEqual([]);
});

/**
 * One has reached this point when another begins; both are rolled back, and the failure is
 * returned.
 */
async function meet(first: readonly Statement[], done: number, second: readonly Statement[]) {
  const errors: string[] = [];
  const [begun, left] = [texts(first).slice(0, done), texts(first).slice(done)];
  await run(one, begun, errors);
  const beside = run(other, texts(second), errors).then(() => other.query('rollback'));
  await pause(2);
  await run(one, left, errors);
  await one.query('rollback');
  await beside;
  return errors;
}

/** A text and its values, as the driver takes them. */
type Asked = readonly [sql: string, values: readonly unknown[]];

async function run(client: pg.Client, asked: readonly Asked[], errors: string[]) {
  try {
    for (const [sql, values] of asked) await client.query(sql, [...values]);
  } catch (error) {
    errors.push(String(error));
  }
}

/** The statements of a transaction, without its end. */
function texts(statements: readonly Statement[]): readonly Asked[] {
  const isAlone = statements.some(({ locksBudgets }) => locksBudgets);
  return [
    ['begin', []],
    ...(isAlone ? [[lockBudgets, []] satisfies Asked] : []),
    ...statements.map(({ sql, values, locksRows }) => {
      return [locksRows ? `${sql} for update` : sql, values] satisfies Asked;
    }),
  ];
}

test('a prune and a batch of corrections wait for the days of calls in one order', async () => {
  const errors: string[] = [];
  for (const [index, app] of others.entries()) {
    await one.query('begin');
    await one.query('select * from budget_day where app = $1 for update', [app]);
    const apps = others.slice(index);
    const keys = [apps, apps.map(() => '2026-10-10')];
    const batch: readonly Asked[] = [
      ['begin', []],
      [shareBudgets, []],
      [lockBudgetDays, keys],
    ];
    const prune = pruneStep({ after: '', until: idAt(tenth + dayMs) }, horizon, false);
    const [early, late] = await Promise.all([connect(), connect()]);
    const waiting = run(early, batch, errors).then(() => early.end());
    await pause(30);
    const pruning = run(late, texts(prune), errors).then(() => late.end());
    await pause(30);
    await one.query('rollback');
    await Promise.all([waiting, pruning]);
  }
  expect(errors).toEqual([]);
});
