import { expect } from 'vitest';
import { pause } from '../../../../../harness/pause.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { systemClock, utcDayOf } from '../../../src/lib/clock.ts';
import { createIds } from '../../../src/lib/id.ts';
import { setBudget } from '../../../src/operations/budgets/budgets.ts';
import { AdminError } from '../../../src/operations/context/admin-error.ts';
import { closeDays } from '../../../src/operations/days/days.ts';
import { pruneDays } from '../../../src/operations/days/prune.ts';
import { reopenDay } from '../../../src/operations/days/reopen.ts';
import { createScopes, type ScopesOf } from '../../../src/registry/scopes.ts';
import type { Store } from '../../../src/store/port/port.ts';
import { selectBudgets, selectBudgetsRevision } from '../../../src/store/queries/budgets.ts';
import { big, text } from '../../../src/store/schema/columns.ts';
import { adminOn, count } from '../../../test/store/support/books.ts';
import { callOnce, createBooks, ids } from '../../../test/store/support/load.ts';

/** Each shares apps with both others. */
const groups = {
  left: ['a', 'b', 'c', 'd', 'e'],
  right: ['d', 'f', 'g', 'h'],
  tight: ['b', 'd', 'g'],
};
const amount = 100n;
/** The initial amount of `tight`, and its increment whenever it is full. */
const step = 10n * amount;
const dayMs = 86_400_000;

/** A replica's copy of the definitions: it may be outdated. */
export interface Known {
  revision: bigint;
  scopesOf: ScopesOf;
}

/** Creates the budgets of three groups of the apps a to h, one of which is soon full. */
export async function makeGroups(store: Store): Promise<void> {
  for (const [name, apps] of Object.entries(groups)) {
    const dailyPicoUsd = name === 'tight' ? step : 10n ** 15n;
    await setBudget(adminOn(store), name, { apps, dailyPicoUsd }, []);
  }
}

/** Callers that record their spending, and an operator's actions until they end. */
export function createGroupRun(store: Store, goesOn: (round: number) => boolean) {
  const admin = adminOn(store);
  const books = createBooks();
  const today = utcDayOf(systemClock.now());
  const sums = new Map<string, bigint>();
  const figures = { pruned: 0, closed: 0, raised: 0 };
  let isDone = false;
  let calls = 0;
  const pastIds = createIds({ ...systemClock, now: () => Date.parse(pastDay(0)) });
  const beside = (work: () => Promise<unknown>) => repeat(work, () => isDone);
  return {
    ...{ books, sums, figures, call },
    end: () => {
      isDone = true;
    },
    prune: () => beside(prune),
    closeAndReopen: () => beside(closeAndReopen),
    raiseTight: () => beside(raiseTight),
  };

  async function call(ledger: Ledger, known: Known, app: string) {
    for (let round = 0; goesOn(round); round++) {
      calls += 1;
      const day = round % 4 === 0 ? pastDay(0) : today;
      const came = await callIn(ledger, known, { app, day });
      expect(['reserved', 'refused']).toContain(came);
      // The rest of the day must stay as the closing has read it.
      if (app === 'h') await pause(20);
    }
  }

  async function callIn(ledger: Ledger, known: Known, parts: { app: string; day: string }) {
    for (;;) {
      const { revision, scopesOf } = known;
      const scopes = scopesOf({ ...parts, keyId: undefined, userId: undefined });
      const callId = parts.day === today ? ids.call() : pastIds.call();
      const call = { ...parts, callId, amount, scopes, revision };
      const came = await callOnce(ledger, books, call);
      if (came === 'outdated-budgets') Object.assign(known, await learn(store));
      else if (came !== 'reserved') return came;
      else {
        for (const { scope, period } of scopes) add(`${scope}@${period}`);
        return came;
      }
    }
  }

  function add(key: string) {
    sums.set(key, (sums.get(key) ?? 0n) + amount / 2n);
  }

  /** A day of a past month: the next one after this number of calls. */
  function pastDay(back: number): string {
    return utcDayOf(Date.parse('2000-01-10') + (Math.floor(calls / 50) - back) * dayMs);
  }

  async function prune() {
    // No running call has a day so far back.
    figures.pruned += (await pruneDays(admin, { before: pastDay(2), stepCalls: 7 })).calls;
  }

  async function closeAndReopen() {
    const day = { app: 'h', day: today };
    const closed = await closeDays(admin, { ...day, picoUsd: undefined }).catch(tooOften);
    if (closed.length === 0) return;
    await pause(20);
    await reopenDay(admin, day);
    figures.closed += 1;
  }

  async function raiseTight() {
    const { cap, room } = await roomOf(store, today);
    if (room >= amount) return;
    await setBudget(admin, 'tight', { dailyPicoUsd: cap + step }, []);
    figures.raised += 1;
  }
}

async function repeat(work: () => Promise<unknown>, isDone: () => boolean) {
  do {
    await work();
    await pause(30);
  } while (!isDone());
}

function tooOften(error: unknown): readonly never[] {
  if (error instanceof AdminError && error.message.includes('too many concurrent changes'))
    return [];
  throw error;
}

async function learn(store: Store): Promise<Known> {
  const revision = await store.read(selectBudgetsRevision);
  return { revision, scopesOf: createScopes(await store.read(selectBudgets), () => undefined) };
}

/** The remaining budget of `tight` today. No group is ever above its limit. */
async function roomOf(store: Store, today: string) {
  expect(await count(store, above)).toBe(0);
  return store.read({
    sql: "select cap, spent + held as used from budget_scope where scope = 'group:tight' and period = $1",
    values: [today],
    map: ([row]) => {
      const cap = row === undefined ? step : big(row, 'cap');
      return { cap, room: row === undefined ? cap : cap - big(row, 'used') };
    },
  });
}

const above = `
  select count(*) as n from budget_scope where spent + held > cap or overrun > 0 or brought > 0`;

/**
 * Checks each group's spend against its callers' records and the cost of its calls in the store.
 */
export async function expectSums(store: Store, sums: ReadonlyMap<string, bigint>): Promise<void> {
  const spent = await store.read({
    sql: 'select scope, period, spent from budget_scope where spent > 0 or held > 0',
    values: [],
    map: (rows) =>
      rows.map((row) => [`${text(row, 'scope')}@${text(row, 'period')}`, big(row, 'spent')]),
  });
  expect(Object.fromEntries(spent)).toEqual(Object.fromEntries(sums));
  expect(await count(store, above)).toBe(0);
  expect(await count(store, unlikeCalls)).toBe(0);
}

const unlikeCalls = `
  with booked as (
    select key, sum(cost) as cost
      from call cross join lateral json_array_elements_text(cast(scopes as json)) as key
     group by key)
  select count(*) as n
    from budget_scope left join booked on key = scope || '@' || period
   where held <> 0 or spent <> pruned + coalesce(cost, 0)`;
