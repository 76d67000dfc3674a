import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../src/store/port/port.ts';
import { testAlertDays } from './alert-days.ts';
import { testAlertRules } from './alert-rules.ts';
import { testAmounts } from './amounts.ts';
import { attemptRows, testAttempts } from './attempts.ts';
import { testAudit } from './audit.ts';
import { testBatches } from './batches.ts';
import { callRows } from './calls.ts';
import { dayRows } from './days.ts';
import { testFocus } from './focus.ts';
import { testDearest } from './highest-prices.ts';
import { keyRows } from './idempotency.ts';
import { testInvoices } from './invoices.ts';
import { testKeptBefore } from './kept-before.ts';
import { lateRows } from './late.ts';
import { testOutbox } from './outbox.ts';
import { testPlantedSums } from './planted-sums.ts';
import { testPrune } from './prune.ts';
import { testRollups } from './rollups.ts';
import { testRuns } from './runs.ts';
import { scopeRows, testScopes } from './scopes.ts';
import { createStoreSubject, type Subject } from './subject.ts';
import { testRows } from './table.ts';
import { paidOnceRows, takeoverRows, testInstances } from './takeovers.ts';
import { walletRows } from './wallets.ts';

/** A store that was opened for a suite. `close` also removes its files or database. */
export interface OpenedStore {
  readonly store: Store;
  close(): Promise<void>;
}

/** The ledger operations that every store must support. `open` returns an empty, migrated store. */
export function ledgerStoreConformance(name: string, open: () => Promise<OpenedStore>) {
  describe(name, () => {
    let opened: OpenedStore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const emptied = () => createScene(opened.store);

    describe('calls and the budget', () => testRows(callRows, emptied));
    describe('days, months and budgets', () => testRows(dayRows, emptied));
    describe('late, lost and corrected calls', () => testRows(lateRows, emptied));
    describe('several attempts', () => {
      testRows(attemptRows, emptied);
      testAttempts(emptied, () => opened.store);
    });
    describe('budgets other than the daily budget', () => {
      testRows(scopeRows, emptied);
      testScopes(emptied);
    });
    describe('wallets', () => testRows(walletRows, emptied));
    describe('idempotency keys', () => {
      testRows(keyRows, emptied);
      testRows(takeoverRows, emptied);
      testRows(paidOnceRows, emptied);
      testInstances(emptied);
      testKeptBefore(emptied, () => opened.store);
    });
    describe('batches', () => testBatches(emptied));
    describe('amounts and names', () => testAmounts(emptied));
    describe('the audit', () => testAudit(emptied, () => opened.store));
    describe('the outbox', () => testOutbox(() => opened.store));
    describe('alert rules', () => {
      testAlertRules(() => opened.store);
      testAlertDays(() => opened.store);
    });
    describe('runs', () => testRuns(() => opened.store));
    describe('invoices', () => testInvoices(() => opened.store));
    describe('rollups', () => testRollups(emptied, () => opened.store, 20));
    describe('FOCUS files', () => testFocus(() => opened.store, 15));
    describe('mistakes in rollups', () => testPlantedSums(emptied, () => opened.store));
    describe('the most expensive calls', () => testDearest(emptied, () => opened.store, 60));
    describe('pruned calls', () => testPrune(emptied, () => opened.store));
  });
}

/** Two apps: `search` with a budget of 100, `tutor` with a budget of 1,000 and wallets. */
async function createScene(store: Store): Promise<Subject> {
  const subject = await createStoreSubject(store, ['search', 'tutor']);
  await subject.setCap({ app: 'search', cap: 100n, today: '2026-11-21' });
  await subject.setCap({ app: 'tutor', cap: 1_000n, today: '2026-11-21' });
  return subject;
}
