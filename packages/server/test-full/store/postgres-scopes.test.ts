import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pause } from '../../../../harness/pause.ts';
import type { ScopeClaim } from '../../src/books/claims.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { systemClock, utcDayOf } from '../../src/lib/clock.ts';
import { pruneDays } from '../../src/operations/days/prune.ts';
import { audit } from '../../src/store/audit/audit.ts';
import type { Store } from '../../src/store/port/port.ts';
import { big } from '../../src/store/schema/columns.ts';
import { bumpBudgets } from '../../test/conformance/subject.ts';
import { adminOn, count, openReplica, openWithApps } from '../../test/store/support/books.ts';
import {
  callOnce,
  createBooks,
  ids,
  ledgerOn,
  reservation,
} from '../../test/store/support/load.ts';
import { type OwnPostgres, startOwnPostgres } from '../../test/support/postgres-own.ts';
import { createGroupRun, expectSums, makeGroups } from './support/groups.ts';

const rounds = 25;
/**
 * With `PROVE=long` the callers of groups run for this long; otherwise they make {@link rounds}.
 */
const longMs = process.env.PROVE === 'long' ? 60_000 : 0;
const timeout = 1_800_000;
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const cap = 10n ** 15n;

let server: OwnPostgres;
beforeAll(async () => {
  server = await startOwnPostgres();
});
afterAll(() => server.close());

async function replicasOn(caps: Readonly<Record<string, bigint | undefined>>) {
  const url = await server.database();
  const first = await openWithApps(url, caps);
  const others = await Promise.all([1, 2, 3].map(() => openReplica(url)));
  const stores: readonly [Store, ...Store[]] = [first, ...others];
  const ledgers = stores.map(ledgerOn);
  return { stores, ledgers, url, close: () => Promise.all(stores.map((store) => store.close())) };
}

function group(scope: string, amount: bigint, period = utcDayOf(systemClock.now())): ScopeClaim {
  return { scope, period, cap: amount, mode: 'enforce' };
}

function revisionOf(store: Store): Promise<bigint> {
  return store.read({
    sql: 'select value from budget_revision where id = 1',
    values: [],
    map: ([row]) => (row === undefined ? 0n : big(row, 'value')),
  });
}

async function expectClean(store: Store) {
  const { checks } = await audit(store, systemClock.now());
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect(server.log()).not.toContain('deadlock detected');
}

test('replicas never exceed the budget of a group without a row', async () => {
  const { stores, ledgers, close } = await replicasOn({ a: cap, b: cap });
  const claim = { scopes: [group('group:all@once', 1_000n)] };
  const words = await Promise.all(
    Array.from({ length: 300 }, (_, index) => {
      const app = index % 2 === 0 ? 'a' : 'b';
      const ledger = ledgers[index % ledgers.length] ?? ledgerOn(stores[0]);
      return ledger.reserve(reserved(app, claim), () => false);
    }),
  );
  expect(words.filter((outcome) => outcome?.kind === 'reserved')).toHaveLength(100);
  const refused = words.filter((outcome) => outcome?.kind === 'refused');
  expect(refused).toHaveLength(200);
  for (const one of refused) expect(one).toMatchObject({ scope: { scope: 'group:all@once' } });
  await expectClean(stores[0]);
  await close();
});

test('apps, overlapping groups, pruning and changes never deadlock', {
  timeout,
}, async () => {
  const caps = Object.fromEntries(names.map((name) => [name, cap]));
  const { stores, ledgers, close } = await replicasOn(caps);
  const claimsOf = (app: string) => {
    const at = names.indexOf(app);
    const own = [0, 1, 2].map((shift) => group(`group:${(at + shift) % 3}@x`, cap));
    return own.toSorted(() => ids.random() - 0.5).slice(0, 1 + Math.floor(ids.random() * 3));
  };
  const books = createBooks();
  let revision = 0n;
  let isDone = false;

  async function caller(ledger: Ledger, app: string) {
    for (let round = 0; round < rounds; round++) {
      const day = round % 4 === 0 ? { day: '2026-01-15' } : {};
      const parts = { app, amount: 100n, scopes: claimsOf(app), revision, ...day };
      let came = await callOnce(ledger, books, parts);
      while (came === 'outdated-budgets') {
        revision = await revisionOf(stores[0]);
        came = await callOnce(ledger, books, { ...parts, revision });
      }
      expect(came).toBe('reserved');
    }
  }
  const untilDone = async (work: () => Promise<unknown>) => {
    while (!isDone) await work().then(() => pause(60));
  };
  const admin = adminOn(stores[0]);
  const beside = [
    untilDone(() => pruneDays(admin, { before: '2026-02-01', stepCalls: 7 })),
    untilDone(() => stores[0].write([bumpBudgets, { sql: raise, values: [] }])),
  ];
  // Each replica has its own apps: they share only the groups' rows.
  const callers = ledgers.flatMap((ledger, replica) => {
    const own = names.filter((_, at) => at % ledgers.length === replica);
    return [...own, ...own].map((app) => caller(ledger, app));
  });
  await Promise.all(callers).finally(() => {
    isDone = true;
  });
  await Promise.all(beside);
  expect(books.settled.size).toBe(2 * names.length * rounds);
  expect(books.failed.size).toBe(0);
  expect(revision).toBeGreaterThan(0n);
  await expectClean(stores[0]);
  await close();
});

const raise = 'update budget_scope set cap = cap + 1';

function reserved(app: string, claim: { readonly scopes: readonly ScopeClaim[] }) {
  return reservation({ app, amount: 10n, ...claim });
}

test('what eight apps spend in three groups is exact, without one deadlock', {
  timeout,
}, async () => {
  const caps = Object.fromEntries(names.map((name) => [name, name === 'h' ? 10n ** 12n : cap]));
  const { stores, ledgers, url, close } = await replicasOn(caps);
  const [store] = stores;
  await makeGroups(store);
  const endsAt = systemClock.monotonic() + longMs;
  const run = createGroupRun(store, (round) =>
    longMs === 0 ? round < rounds : systemClock.monotonic() < endsAt,
  );
  // Both callers of an app are on one replica: replicas share only the groups' rows.
  const callers = ledgers.flatMap((ledger, replica) => {
    const own = names.filter((_, at) => at % ledgers.length === replica);
    const known = { revision: -1n, scopesOf: () => [] };
    return [...own, ...own].map((app) => run.call(ledger, known, app));
  });
  const beside = [run.prune(), run.closeAndReopen(), run.raiseTight()];
  await Promise.all(callers).finally(run.end);
  await Promise.all(beside);
  const { settled, failed, refused } = run.books;
  expect(failed.size).toBe(0);
  expect(Object.entries(run.figures).filter(([, times]) => times === 0)).toEqual([]);
  await expectSums(store, run.sums);
  await expectClean(store);
  // A connection reports its counts at the latest when it ends.
  await close();
  const after = await openReplica(url);
  expect(await count(after, deadlocks)).toBe(0);
  await after.close();
  if (longMs === 0) return;
  process.stdout.write(`${JSON.stringify({ settled: settled.size, refused, ...run.figures })}\n`);
});

const deadlocks = 'select deadlocks as n from pg_stat_database where datname = current_database()';
