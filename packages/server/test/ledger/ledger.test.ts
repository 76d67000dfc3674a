import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { createLedgerQueue } from '../../src/ledger/queue.ts';
import { type Log, silentLog } from '../../src/lib/log.ts';
import { type Store, StoreError } from '../../src/store/port/port.ts';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';
import { expectInvariants } from '../conformance/invariants.ts';
import { search } from '../conformance/operations.ts';
import { createStoreSubject, type Subject } from '../conformance/subject.ts';
import { day } from '../conformance/table.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';

/** How each of the next commits fails: before it has an effect, or after. */
type Fault = 'before' | 'after';

let engine: Store;
let subject: Subject;
let faults: Fault[];
let commits: number;
let errors: string[];
let clock: TestClock;
let ledger: Ledger;

beforeEach(async () => {
  engine = openDirectStore(':memory:');
  subject = await createStoreSubject(engine, ['search']);
  await subject.setCap({ app: 'search', cap: 100n, today: '2026-11-21' });
  faults = [];
  commits = 0;
  errors = [];
  clock = createTestClock();
  const queue = createLedgerQueue({ store: faulty(engine), clock, batchMax: 256 });
  ledger = createLedger({ queue, clock, log: recordingLog() });
});

afterEach(async () => {
  const rows = await subject.rows();
  expectInvariants(rows);
  expect(await subject.breaches()).toEqual([]);
  await engine.close();
});

const never = () => false;

test('a settlement is attempted again until the store is back, and booked once', async () => {
  await ledger.reserve(search.reserve('a', 60n), never);
  faults = ['before', 'before', 'before', 'before', 'before'];
  const settled = ledger.settle(search.settle('a', 40n));
  expect(ledger.isLive('a')).toBe(true);
  await clock.run(settled);
  expect(commits).toBe(7);
  expect(await subject.rows()).toMatchObject({
    budgets: [day({ spent: 40n })],
    calls: [{ cost: 40n }],
    usage: [{ calls: 1 }],
  });
  expect(ledger.isLive('a')).toBe(false);
});

test('a settlement whose commit succeeded unnoticed is booked once', async () => {
  await ledger.reserve(search.reserve('a', 60n), never);
  faults = ['after', 'after'];
  await clock.run(ledger.settle(search.settle('a', 40n)));
  expect(commits).toBe(4);
  expect(await subject.rows()).toMatchObject({
    budgets: [day({ spent: 40n })],
    usage: [{ calls: 1, cost: 40n }],
  });
});

test('a settlement waits twice as long each time, up to 2 s', async () => {
  await ledger.reserve(search.reserve('a', 60n), never);
  faults = Array(9).fill('before');
  const begin = clock.monotonic();
  await clock.run(ledger.settle(search.settle('a', 40n)));
  const waits = [50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000];
  expect(clock.monotonic() - begin).toBe(waits.reduce((sum, wait) => sum + wait));
  expect(errors).toHaveLength(9);
});

test('a settlement is never abandoned while the store is unavailable', async () => {
  await ledger.reserve(search.reserve('a', 60n), never);
  faults = Array(1_000).fill('before');
  const settled = ledger.settle(search.settle('a', 40n));
  await clock.advance(1_500_000);
  expect(ledger.isLive('a')).toBe(true);
  faults = [];
  await clock.run(settled);
  expect(await subject.rows()).toMatchObject({ budgets: [day({ spent: 40n })] });
});

test('an invalid settlement throws at once', async () => {
  await ledger.reserve(search.reserve('a', 60n), never);
  await ledger.settle(search.settle('a', 40n));
  await expect(ledger.settle(search.settle('a', 41n))).rejects.toMatchObject({ kind: 'invalid' });
  expect(commits).toBe(3);
});

test('an orphan is booked, with an alert', async () => {
  await ledger.settle(search.settle('a', 40n));
  expect(errors).toEqual(['settlement found no reservation; cost booked anyway']);
  expect(await subject.rows()).toMatchObject({ budgets: [day({ spent: 40n, overrun: 40n })] });
});

test('a reservation fails closed while the store is unavailable, without a retry', async () => {
  faults = ['before'];
  await expect(ledger.reserve(search.reserve('a', 60n), never)).rejects.toMatchObject({
    name: 'LedgerError',
    kind: 'unavailable',
  });
  expect(commits).toBe(1);
  expect(ledger.isLive('a')).toBe(false);
  expect(await subject.rows()).toMatchObject({ holds: [] });
});

test('a reservation that succeeded unnoticed is left to the sweeper', async () => {
  faults = ['after'];
  await expect(ledger.reserve(search.reserve('a', 60n), never)).rejects.toThrow();
  expect(ledger.isLive('a')).toBe(false);
  expect(await subject.rows()).toMatchObject({ holds: [{ callId: 'a' }] });
  expect(await ledger.submit(search.expire('a'))).toEqual({ kind: 'expired' });
});

test('a late reservation is dropped: nothing is reserved', async () => {
  expect(await ledger.reserve(search.reserve('a', 60n), () => true)).toBeUndefined();
  expect(ledger.liveCalls()).toBe(0);
  expect(commits).toBe(0);
});

test('a rejected reservation is not live', async () => {
  expect(await ledger.reserve(search.reserve('a', 101n), never)).toMatchObject({
    kind: 'refused',
    needed: 101n,
  });
  expect(ledger.liveCalls()).toBe(0);
});

test('an extension reports whether the budget had room', async () => {
  await ledger.reserve(search.reserve('a', 60n), never);
  expect(await ledger.extend(search.extend('a', 1, 40n))).toBe(true);
  expect(await ledger.extend(search.extend('a', 2, 1n))).toBe(false);
});

test('100 calls at once, with a store that fails now and then, are each booked once', async () => {
  await subject.setCap({ app: 'search', cap: undefined, today: '2026-11-21' });
  const callIds = Array.from({ length: 100 }, (_, index) => `call-${index}`);
  await Promise.all(callIds.map((callId) => ledger.reserve(search.reserve(callId, 5n), never)));
  faults = ['after', 'before', 'after', 'before', 'before', 'after'];
  const settlements = callIds.map((callId) => ledger.settle(search.settle(callId, 3n)));
  await clock.run(Promise.all(settlements));
  expect(await subject.rows()).toMatchObject({
    budgets: [day({ spent: 300n })],
    usage: [{ calls: 100, cost: 300n }],
  });
});

function faulty(store: Store): Store {
  return {
    ...store,
    async commit(batch) {
      commits += 1;
      const fault = faults.shift();
      if (fault === 'before') throw new StoreError('the store is away');
      const results = await store.commit(batch);
      if (fault === 'after') throw new StoreError('nobody knows what came of it');
      return results;
    },
  };
}

function recordingLog(): Log {
  return { ...silentLog, error: (_fields, message) => void errors.push(message) };
}
