import { expect, test } from 'vitest';
import { createBook, type LoadedRows } from '../../src/books/book.ts';
import { decide } from '../../src/books/decide.ts';
import { attemptOf, tutor } from '../conformance/operations.ts';

const { app, day, month = '' } = tutor.facts('a');
const amounts = { spent: 0n, held: 0n, estimated: 0n, overrun: 0n };
const scope = { scope: 'group:all', period: day, cap: 100n, mode: 'enforce' } as const;

/** A book with the reservation of another call, into which a test plants a bug. */
function openBook() {
  const rows: LoadedRows = {
    budgets: [{ app, day, cap: 100n, admittedCap: undefined, ...amounts }],
    scopes: [
      {
        ...{ ...scope, ...amounts, admittedCap: undefined, brought: 0n, pruned: 0n },
        ...{ wouldRefuse: 0n, wouldRefuseAmount: 0n },
      },
    ],
    wallets: [
      {
        ...{ app, userId: 'ada', month, granted: 100n, picoUsdPerCredit: 1n },
        ...{ spentGrant: 0n, heldGrant: 0n, spentTopup: 0n },
      },
    ],
    topups: [{ app, userId: 'ada', added: 0n, spent: 0n, held: 0n }],
    ...{
      budgetsRevision: 0n,
      holds: [],
      calls: [],
      attempts: [],
      idempotency: [],
      entries: [],
      unclaimed: [],
    },
    members: [],
    liveInstances: new Set(),
  };
  const book = createBook(rows);
  decide(book, tutor.reserve('a', 50n, { scopes: [scope] }));
  return book;
}

type Book = ReturnType<typeof openBook>;

const rowOf = <Row>(row: Row | undefined): Row => {
  if (row === undefined) throw new Error('there is a row');
  return row;
};
const settled = (book: Book) => {
  decide(book, tutor.settle('a', 20n));
  return rowOf(book.calls.get('a'));
};

test.each<readonly [string, (book: Book) => void, RegExp]>([
  [
    'a day holds less than nothing',
    (book) => {
      rowOf(book.budgets.get(app, day)).held -= 51n;
    },
    /^the day 2026-11-21 of tutor would have a negative amount: .*held \$-0\.000000000001/,
  ],
  [
    'a budget beside it has spent less than nothing',
    (book) => {
      for (const row of book.scopes.listed(rowOf(book.holds.get('a')).scopes)) row.spent -= 1n;
    },
    /^the budget group:all@2026-11-21 would have a negative amount/,
  ],
  [
    'a day has spent more than can be counted',
    (book) => {
      rowOf(book.budgets.get(app, day)).spent = 2n ** 63n;
    },
    /would be \$9223372\.036854775808, and at most \$9223372\.036854775807 can be counted/,
  ],
  [
    'a wallet holds less than nothing',
    (book) => {
      rowOf(book.wallets.get(app, 'ada', month)).heldGrant -= 51n;
    },
    /^a wallet of tutor in 2026-11 would have a negative amount: .*heldGrant/,
  ],
  [
    'a top-up has spent less than nothing',
    (book) => {
      book.topups.put({ app, userId: 'ada', added: 0n, spent: -1n, held: 0n });
    },
    /^a top-up of tutor would have a negative amount: .*spent/,
  ],
  [
    "a reservation is less than the wallet's part",
    (book) => {
      rowOf(book.holds.get('a')).budgetAmount -= 1n;
    },
    /^the hold of call a would be less than the wallet's part/,
  ],
  [
    'a call costs less than nothing',
    (book) => book.calls.put({ ...settled(book), cost: -1n }),
    /^call a would have a negative amount: cost/,
  ],
  [
    'a call is estimated above its cost',
    (book) => book.calls.put({ ...settled(book), estimated: 21n }),
    /^call a would be estimated above its cost/,
  ],
  [
    'a call costs something else than its attempts',
    (book) => {
      settled(book);
      const facts = tutor.facts('a');
      book.attempts.put([attemptOf(facts, 1, { cost: 9n }), attemptOf(facts, 2, { cost: 10n })]);
    },
    /^call a would cost \$0\.00000000002, and its attempts not/,
  ],
])('%s is not written', (_, plant, sentence) => {
  const book = openBook();
  expect(book.changes().holdsStarted).toHaveLength(1);
  plant(book);
  expect(() => book.changes()).toThrow(sentence);
});
