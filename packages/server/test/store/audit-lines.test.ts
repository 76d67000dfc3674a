import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TopUp } from '../../src/books/operations.ts';
import { systemClock, utcDayOf } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createApp, updateApp } from '../../src/operations/apps/apps.ts';
import { correctCall } from '../../src/operations/calls/corrections.ts';
import { declareMissing } from '../../src/operations/config/declared-apps.ts';
import type { AdminContext } from '../../src/operations/context/context.ts';
import { closeDays } from '../../src/operations/days/days.ts';
import { disableKey, importKey } from '../../src/operations/keys/keys.ts';
import { bindProject } from '../../src/operations/projects/bindings.ts';
import { debitWallet, topUpWallet, walletSubject } from '../../src/operations/wallets/wallets.ts';
import type { Store } from '../../src/store/port/port.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { adminOn, count, openReplica } from './support/books.ts';
import { ids, ledgerOn, reservation, settlement } from './support/load.ts';

let folder: string;
let server: TestPostgres;
let stores: Readonly<Record<Store['kind'], Store>>;
beforeAll(async () => {
  server = await startPostgres();
  const postgres = await openReplica(await server.database());
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-audit-lines-'));
  const sqlite = await openSqliteStore({
    path: join(folder, 'gateway.db'),
    onDeath,
    log: silentLog,
  });
  stores = { sqlite, postgres };
});
afterAll(async () => {
  await Promise.all(Object.values(stores).map((store) => store.close()));
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function onDeath(error: Error) {
  throw error;
}

const dollar = 10n ** 12n;
const picoUsdPerCredit = dollar / 100n;
const credits = { monthlyGrantPicoUsd: 0n, picoUsdPerCredit };

/** A change and its line are written together or not at all, and nothing else writes a line. */
describe.each(['sqlite', 'postgres'] as const)('on %s', (kind) => {
  let store: Store;
  let admin: AdminContext;
  let app: string;
  let made = 0;
  beforeEach(async () => {
    store = stores[kind];
    made += 1;
    app = `app-${made}`;
    admin = { ...adminOn(store), actor: app };
    await createApp(admin, app, { credits, dailyBudgetPicoUsd: dollar });
  });

  /**
   * The lines of the test's own operator after the creation of its app. Lines of one millisecond
   * have no order.
   */
  async function expectLines(expected: readonly (readonly (string | null)[])[]) {
    const lines = await store.read({
      sql: `
        select action, subject, before_value, after_value from audit_log
         where actor = $1 and action <> 'app.create'`,
      values: [app],
      map: (rows) => rows.map((row) => JSON.stringify(Object.values(row))),
    });
    expect(lines.sort()).toEqual(expected.map((line) => JSON.stringify(line)).sort());
  }

  const topUp = (amount: bigint, reference: string): TopUp => {
    const at = systemClock.now();
    const note = { id: ids.next('log'), at, actor: app, action: 'wallet.top-up', subject: app };
    const line = { ...note, picoUsdPerCredit };
    return { kind: 'top-up', app, userId: 'ada', amount, reference, now: at, line };
  };

  test('an app that exists is created without a line, and no replica is notified', async () => {
    const revisions = 'select value as n from revision';
    const before = await count(store, revisions);
    await expect(createApp(admin, app, {})).rejects.toThrow(`the app ${app} already exists`);
    const created = `select count(*) as n from audit_log where subject = '${app}'`;
    expect(await count(store, created)).toBe(1);
    expect(await count(store, revisions)).toBe(before);
  });

  test('an app that two services declare at once has one line', async () => {
    const name = `${app}-declared`;
    const declared = [{ name }];
    // Each reads before the other has written: the second finds the name in use.
    await Promise.all([declareMissing(admin, declared), declareMissing(admin, declared)]);
    const created = `select count(*) as n from audit_log where subject = '${name}'`;
    expect(await count(store, created)).toBe(1);
  });

  test('a key that exists is imported without a line, and disabled with one line', async () => {
    const request = { name: 'odd', customerId: app, key: `${app}-a-key-made-elsewhere` };
    const { id } = await importKey(admin, request);
    await expect(importKey(admin, request)).rejects.toThrow('this key already exists');
    await disableKey(admin, id);
    await disableKey(admin, id);
    await expectLines([
      ['key.issue', id, null, 'odd'],
      ['key.disable', id, 'odd', null],
    ]);
  });

  test('an app that keeps its values has no line', async () => {
    await updateApp(admin, app, { dailyBudgetPicoUsd: dollar });
    await updateApp(admin, app, { enabled: true, credits, plans: {} });
    await expectLines([]);
  });

  test('a project that is bound twice has one line; another has the previous one', async () => {
    const binding = { app, platform: 'hosted' };
    for (const projectId of ['one', 'one', 'two']) {
      await bindProject(admin, { ...binding, projectId });
    }
    await expectLines([
      ['project.bind', `${app} on hosted`, null, 'one'],
      ['project.bind', `${app} on hosted`, 'one', 'two'],
    ]);
  });

  test('a reference acts once, and has one line with the values before and after', async () => {
    const wallet = { app, userId: 'ada' };
    await topUpWallet(admin, { ...wallet, credits: '50', reference: 'order' });
    await topUpWallet(admin, { ...wallet, credits: '50', reference: 'order' });
    const other = topUpWallet(admin, { ...wallet, credits: '51', reference: 'order' });
    await expect(other).rejects.toThrow('reference order was already used for a different amount');
    await debitWallet(admin, { ...wallet, credits: '20.5', reference: 'refund' });
    const tooMuch = debitWallet(admin, { ...wallet, credits: '29.6', reference: 'all' });
    await expect(tooMuch).rejects.toThrow('only 29.5 top-up credits');
    const subject = walletSubject(admin, wallet);
    expect(subject).toMatch(store.ring === undefined ? /^app-\d+\/ada$/ : /^app-\d+\/u_[\da-f]+$/);
    await expectLines([
      ['wallet.top-up', subject, '0 credits', '50 credits, reference order'],
      ['wallet.debit', subject, '50 credits', '29.5 credits, reference refund'],
    ]);
  });

  test('a line that cannot be written rolls back its change', async () => {
    const first = topUp(picoUsdPerCredit, 'first');
    const taken: TopUp = { ...first, reference: 'second' };
    const third = topUp(picoUsdPerCredit, 'third');
    const results = [...(await store.commit([first])), ...(await store.commit([taken, third]))];
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
    await expectLines([
      ['wallet.top-up', app, '0 credits', '1 credits, reference first'],
      ['wallet.top-up', app, '1 credits', '2 credits, reference third'],
    ]);
    const entries = `select count(*) as n from wallet_entry where app = '${app}'`;
    expect(await count(store, entries)).toBe(2);
  });

  test('spend of top-ups is not reported as a change of an operator', async () => {
    await store.commit([topUp(10n * picoUsdPerCredit, 'a')]);
    const spent = reservation({ app, amount: 4n * picoUsdPerCredit, userId: 'ada' });
    const held = reservation({ app, amount: 2n * picoUsdPerCredit, userId: 'ada' });
    const ledger = ledgerOn(store);
    for (const reserved of [spent, held]) {
      await ledger.reserve({ ...reserved, wallet: { granted: 0n, picoUsdPerCredit } }, () => false);
    }
    await ledger.settle(settlement(spent, 3n * picoUsdPerCredit));
    await store.commit([topUp(-1n * picoUsdPerCredit, 'b')]);
    await expectLines([
      ['wallet.top-up', app, '0 credits', '10 credits, reference a'],
      ['wallet.top-up', app, '7 credits', '6 credits, reference b'],
    ]);
  });

  test('operations of one transaction each report their result', async () => {
    const batch = [topUp(2n * picoUsdPerCredit, 'a'), topUp(3n * picoUsdPerCredit, 'b')];
    await store.commit([...batch, topUp(3n * picoUsdPerCredit, 'b')]);
    await expectLines([
      ['wallet.top-up', app, '0 credits', '2 credits, reference a'],
      ['wallet.top-up', app, '2 credits', '5 credits, reference b'],
    ]);
  });

  test('a correction has a line with both costs, and a repeated one has none', async () => {
    const reserved = reservation({ app, amount: dollar / 2n });
    const ledger = ledgerOn(store);
    await ledger.reserve(reserved, () => false);
    await ledger.settle(settlement(reserved, dollar / 4n));
    const { callId } = reserved.facts;
    await correctCall(admin, { callId, usd: '0.3' });
    await correctCall(admin, { callId, usd: '0.3' });
    await correctCall(admin, { callId, usd: '0.2' });
    await expectLines([
      ['call.correct', callId, '0.25', '0.3'],
      ['call.correct', callId, '0.3', '0.2'],
    ]);
  });

  test('a change has its reason, its reference and its record', async () => {
    const day = utcDayOf(systemClock.now());
    const reasoned = { ...admin, reason: 'the bill of November' };
    const closing = { app, day, picoUsd: dollar / 4n, reference: 'bill-11' };
    const [closed] = await closeDays(reasoned, closing);
    expect(await closeDays(reasoned, closing)).toEqual([closed]);
    const other = closeDays(reasoned, { ...closing, picoUsd: dollar / 2n });
    await expect(other).rejects.toThrow('reference "bill-11" was already used for $0.25');
    const callId = closed?.callId ?? '';
    for (const usd of ['0.2', '0.2', '0.20']) {
      await correctCall(reasoned, { callId, usd, reference: 'credit-note' });
    }
    const another = correctCall(reasoned, { callId, usd: '0.1', reference: 'credit-note' });
    await expect(another).rejects.toThrow('reference "credit-note" was already used for $0.2');
    await correctCall(admin, { callId, usd: '0.3' });
    // A reference is used up: a later correction stays.
    await correctCall(reasoned, { callId, usd: '0.2', reference: 'credit-note' });
    const lines = await store.read({
      sql: `
        select action, after_value, reason, reference, call_id from audit_log
         where actor = $1 and action <> 'app.create' order by action, after_value`,
      values: [app],
      map: (rows) => rows.map((row) => Object.values(row)),
    });
    const why = 'the bill of November';
    expect(lines).toEqual([
      ['call.correct', '0.2', why, 'credit-note', null],
      ['call.correct', '0.3', null, null, null],
      ['day.close', '0.25', why, 'bill-11', callId],
    ]);
  });

  test('of two concurrent closings under one reference one books', async () => {
    const day = utcDayOf(systemClock.now());
    const closing = { app, day, picoUsd: dollar / 4n, reference: 'at-once' };
    const both = await Promise.allSettled([closeDays(admin, closing), closeDays(admin, closing)]);
    expect(both.map(({ status }) => status)).toContain('fulfilled');
    const spent = `select spent as n from budget_day where app = '${app}'`;
    expect(await count(store, spent)).toBe(Number(dollar / 4n));
    const held = `select held as n from budget_day where app = '${app}'`;
    expect(await count(store, held)).toBe(0);
  });

  test('a day that is closed has a line with the booked amount', async () => {
    const day = utcDayOf(systemClock.now());
    await closeDays(admin, { app, day, picoUsd: undefined });
    await closeDays(admin, { app, day, picoUsd: undefined });
    await expectLines([['day.close', `${app} ${day}`, null, '1']]);
  });
});
