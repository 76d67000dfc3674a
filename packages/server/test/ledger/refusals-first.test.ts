import { expect, test } from 'vitest';
import { createBook, type LoadedRows } from '../../src/books/book.ts';
import { decide } from '../../src/books/decide.ts';
import type { Operation } from '../../src/books/operations.ts';
import { tutor } from '../conformance/operations.ts';

const none: LoadedRows = {
  ...{
    budgets: [],
    scopes: [],
    members: [],
    budgetsRevision: 0n,
    wallets: [],
    topups: [],
    holds: [],
    calls: [],
    attempts: [],
  },
  ...{ idempotency: [], entries: [], unclaimed: [] },
  liveInstances: new Set(),
};
const { app, day, month = '' } = tutor.facts('a');
const budget = { app, day, cap: 100n, admittedCap: undefined, spent: 0n, held: 0n };
const opened: LoadedRows = {
  ...none,
  budgets: [{ ...budget, estimated: 0n, overrun: 0n }],
  wallets: [
    {
      ...{ app, userId: 'ada', month, granted: 100n, picoUsdPerCredit: 1n },
      ...{ spentGrant: 0n, heldGrant: 0n, spentTopup: 0n },
    },
  ],
  topups: [{ app, userId: 'ada', added: 0n, spent: 0n, held: 0n }],
};

/** The rows after some operations, read again. */
function after(rows: LoadedRows, operations: readonly Operation[]): LoadedRows {
  const book = createBook(structuredClone(rows));
  for (const operation of operations) decide(book, operation);
  const { budgets, wallets, topups: changed, ...rest } = book.changes();
  const { holdsStarted, holdsEnded, callsAdded } = rest;
  const topups = changed.length === 0 ? rows.topups : changed;
  const holds = holdsStarted.filter(({ callId }) => !holdsEnded.includes(callId));
  return { ...none, budgets, wallets, topups, holds, calls: callsAdded };
}

const held = after(opened, [tutor.reserve('a', 50n)]);
const settled = after(opened, [tutor.reserve('a', 50n), tutor.settle('a', 20n)]);
const lost = after(opened, [tutor.reserve('a', 50n), tutor.expire('a')]);

test.each([
  { what: 'a settlement without the wallet', rows: { ...held, wallets: [] }, by: 'settle' },
  { what: 'a settlement without the day', rows: { ...held, budgets: [] }, by: 'settle' },
  { what: 'a late settlement without the day', rows: { ...lost, budgets: [] }, by: 'settle' },
  { what: 'an expiry without the wallet', rows: { ...held, wallets: [] }, by: 'expire' },
  { what: 'an expiry without the day', rows: { ...held, budgets: [] }, by: 'expire' },
  { what: 'a correction without the day', rows: { ...settled, budgets: [] }, by: 'correct' },
] as const)('$what throws and has changed nothing', ({ rows, by }) => {
  const operations = {
    ...{ settle: tutor.settle('a', 20n), expire: tutor.expire('a') },
    correct: tutor.correct('a', 10n),
  };
  const original = structuredClone(rows);
  const book = createBook(original);
  expect(() => decide(book, operations[by])).toThrow(/^no (budget|wallet) row/);
  expect(original).toEqual(rows);
  expect(Object.values(book.changes()).flat()).toEqual([]);
});
