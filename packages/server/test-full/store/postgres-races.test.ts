import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Expire } from '../../src/books/operations.ts';
import type { CallFacts } from '../../src/books/rows.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { updateApp } from '../../src/operations/apps/apps.ts';
import type { Store } from '../../src/store/port/port.ts';
import { seen } from '../../src/store/queries/instances.ts';
import { selectBudget } from '../../src/store/queries/ledger.ts';
import {
  adminOn,
  count,
  expectBooked,
  openReplica,
  openWithApps,
} from '../../test/store/support/books.ts';
import {
  callOnce,
  createBooks,
  ids,
  ledgerOn,
  reservation,
  settlement,
} from '../../test/store/support/load.ts';
import { type OwnPostgres, startOwnPostgres } from '../../test/support/postgres-own.ts';

let server: OwnPostgres;
beforeAll(async () => {
  server = await startOwnPostgres();
});
afterAll(() => server.close());

let stores: readonly [Store, Store, Store];
let ledgers: readonly [Ledger, Ledger, Ledger];
beforeEach(async () => {
  const url = await server.database();
  const first = await openWithApps(url, { a: 10n ** 15n, b: 10n ** 15n, c: undefined });
  stores = [first, await openReplica(url), await openReplica(url)];
  ledgers = [ledgerOn(stores[0]), ledgerOn(stores[1]), ledgerOn(stores[2])];
});
afterEach(() => Promise.all(stores.map((store) => store.close())));

function expiry({ callId, app, day, userId, month, keyHash }: CallFacts): Expire {
  const now = systemClock.now();
  return { kind: 'expire', callId, app, day, userId, month, keyHash, now };
}

test('a new key that three replicas claim at once goes to one of them', async () => {
  const books = createBooks();
  // An instance without a heartbeat would be taken over, and a slow machine needs time.
  await stores[0].write(['o0', 'o1', 'o2'].map(alive));
  for (let round = 0; round < 50; round++) {
    const keys = ['x', 'y', 'z'].map((name) => `${name} ${round}`);
    const claims = ledgers.flatMap((ledger, replica) =>
      keys.map(async (key) => {
        // Each has its own days, so no replica waits for another because of a budget's row.
        const day = `2101-01-0${replica + 1}`;
        const reserved = reservation({
          app: 'a',
          amount: 100n,
          key,
          day,
          instanceId: `o${replica}`,
        });
        const outcome = await ledger.reserve(reserved, () => false);
        return { key, kind: outcome?.kind, reserved };
      }),
    );
    const came = await Promise.all(claims);
    for (const key of keys) {
      const kinds = came.filter((claim) => claim.key === key).map(({ kind }) => kind);
      expect(kinds.sort()).toEqual(['attach', 'attach', 'reserved']);
    }
    for (const { kind, reserved } of came) {
      if (kind !== 'reserved') continue;
      await ledgers[0].settle(settlement(reserved, 50n));
      books.settled.set(reserved.facts.callId, 50n);
    }
  }
  await expectBooked(stores[0], books);
});

function alive(instanceId: string) {
  return seen({ id: instanceId, seenAt: systemClock.now() + 3_600_000, configHash: '' });
}

test('two queues of one process do not meet in one transaction', async () => {
  const books = createBooks();
  const [first] = stores;
  const pair = [ledgerOn(first), ledgerOn(first)];
  for (let round = 0; round < 30; round++) {
    const calls = pair.map((ledger) =>
      callOnce(ledger, books, { app: 'a', amount: 100n, userId: 'u1', key: ids.call() }),
    );
    expect(await Promise.all(calls)).toEqual(['reserved', 'reserved']);
  }
  await expectBooked(first, books);
});

test('a reservation that is settled and expired by everybody at once ends once', async () => {
  const books = createBooks();
  const rounds = 40;
  for (let round = 0; round < rounds; round++) {
    const key = `k${round}`;
    const reserved = reservation({ app: 'a', amount: 100n, userId: 'u1', key });
    await ledgers[0].reserve(reserved, () => false);
    const expire = expiry(reserved.facts);
    const [, ...ended] = await Promise.all([
      ledgers[round % 3]?.settle(settlement(reserved, 50n)),
      ...ledgers.map((ledger) => ledger.submit(expire)),
    ]);
    const expired = ended.filter(({ kind }) => kind === 'expired');
    expect(expired.length).toBeLessThanOrEqual(1);
    books.settled.set(reserved.facts.callId, 50n);
  }
  const { day } = reservation({ app: 'a', amount: 0n }).facts;
  expect(await stores[0].read(selectBudget('a', day))).toMatchObject({ held: 0n, estimated: 0n });
  const calls = 'select cast(sum(calls) as bigint) as n from usage_day';
  expect(await count(stores[0], calls)).toBe(rounds);
  await expectBooked(stores[0], books);
});

test('a change of a budget during the day’s first calls is never lost', async () => {
  const admin = adminOn(stores[2]);
  for (let round = 1; round <= 60; round++) {
    const day = new Date(Date.UTC(2101, 0, round)).toISOString().slice(0, 10);
    const cap = BigInt(round) * 1_000n;
    const call = (ledger: Ledger) =>
      callOnce(ledger, createBooks(), { app: 'a', amount: 10n, day });
    const change = updateApp(admin, 'a', { dailyBudgetPicoUsd: cap });
    await Promise.all([call(ledgers[0]), call(ledgers[1]), change, call(ledgers[0])]);
    expect((await stores[0].read(selectBudget('a', day)))?.cap).toBe(cap);
  }
});

test('replicas, sweeps, top-ups and an operator never deadlock', async () => {
  const books = createBooks();
  const any = <T>(from: readonly T[], fallback: T): T =>
    from[Math.floor(ids.random() * from.length)] ?? fallback;
  const days = ['2101-01-31', '2101-02-01'];
  const open: CallFacts[] = [];
  let top = 0;

  async function act(ledger: Ledger) {
    const app = any(['a', 'b', 'c'], 'a');
    const userId = any(['u1', 'u2', 'u3', undefined], undefined);
    const day = any(days, '');
    const roll = ids.random();
    if (roll < 0.1 && userId !== undefined) {
      const amount = { app, userId, amount: 5n, reference: `r${top++}`, now: 1 };
      await ledger.submit({ kind: 'top-up', ...amount }).catch(onlyBusy);
      return;
    }
    const key = roll < 0.5 ? `k${Math.floor(ids.random() * 10)}` : undefined;
    const reserved = reservation({ app, amount: 100n, userId, key, day });
    const outcome = await ledger.reserve(reserved, () => false).catch(onlyBusy);
    if (outcome?.kind !== 'reserved') return;
    if (roll > 0.9) open.push(reserved.facts);
    else {
      await ledger.settle(settlement(reserved, 50n));
      books.settled.set(reserved.facts.callId, 50n);
    }
    const stale = roll > 0.8 ? open.shift() : undefined;
    if (stale !== undefined) await ledger.submit(expiry(stale)).catch(onlyBusy);
  }

  const goOn = async (work: () => Promise<unknown>) => {
    while (books.settled.size < 1_000) await work();
  };
  const callers = ledgers.flatMap((ledger) =>
    Array.from({ length: 8 }, () => goOn(() => act(ledger))),
  );
  const operator = goOn(() =>
    updateApp(adminOn(stores[1]), any(['a', 'b'], 'a'), { dailyBudgetPicoUsd: 10n ** 15n }),
  );
  await Promise.all([...callers, operator]);
  for (const facts of open) await ledgers[0].submit(expiry(facts));
  await expectBooked(stores[0], books);
  expect(server.log()).not.toContain('deadlock detected');
});

function onlyBusy(error: unknown): undefined {
  expect(error).toMatchObject({ kind: 'conflict' });
}
