import { describe, expect, test } from 'vitest';
import type { Books, UserBook } from '../../src/attack/books/books.ts';
import { verdict } from '../../src/attack/verdict.ts';
import { attempt, booking, booksOf, callPicoUsd, ended, withFirst, zeros } from './books.ts';

/** A user that has paid for its one received response. */
function user(change: Partial<UserBook>): UserBook {
  const sound = { paidPicoUsd: 1n, leastPicoUsd: 0n, maximumCostPicoUsd: 1n };
  return { account: 'crowd', userId: 'ada', when: 'then', ...sound, ...change };
}

describe('a fault of reports or receipts turns the verdict red, under its own name', () => {
  const first = 'crowd/0';
  const rows: readonly { fault: string; books: Books; expected: Partial<typeof zeros> }[] = [
    {
      fault: 'it books as exact what its platform contradicted',
      books: booksOf({ expectedBookings: [{ label: first, booking: 'estimate' }] }),
      expected: { falseExact: 1 },
    },
    {
      fault: 'it lets a user pay for what is nowhere to be had',
      books: booksOf({ users: [user({ paidPicoUsd: 1n, maximumCostPicoUsd: 0n })] }),
      expected: { chargedWithoutResponse: 1 },
    },
    {
      fault: 'it lets a user pay one response twice, which is seen twice',
      books: booksOf({ users: [user({ paidPicoUsd: 2n }), user({ paidPicoUsd: 2n })] }),
      expected: { chargedWithoutResponse: 1 },
    },
  ];
  test.each(rows)('$fault', ({ books, expected }) => {
    const { accounts, isClean } = verdict(books);
    expect(accounts).toMatchObject([{ ...zeros, ...expected }]);
    expect(isClean).toBe(false);
  });

  test.each([
    {
      why: 'exact counts are an estimate',
      books: {
        ...withFirst({ booked: [booking('crowd/0', { estimatedPicoUsd: 1n })] }),
        expectedBookings: [{ label: 'crowd/0', booking: 'exact' as const }],
      },
      line: 'crowd/0: its counts are exact, and it is booked as an estimate',
    },
    {
      why: 'a user has not paid for what it received',
      books: booksOf({ users: [user({ paidPicoUsd: 0n, leastPicoUsd: 1n })] }),
      line: 'crowd: the wallet of ada has paid $0 then, and received responses of $0.000000000001',
    },
  ])('$why', ({ books, line }) => {
    expect(verdict(books)).toMatchObject({ isZero: true, isClean: false, broken: [line] });
  });
});

test('contradictory reports are no fault if the call is an estimate', () => {
  const estimate = {
    estimatedPicoUsd: callPicoUsd,
    attempts: [attempt('crowd/0', { isEstimated: true })],
  };
  const books = withFirst({ booked: [booking('crowd/0', estimate)] });
  const expectedBookings = [
    { label: 'crowd/0', booking: 'estimate' },
    { label: 'crowd/1', booking: 'exact' },
  ] as const;
  const result = verdict({ ...books, expectedBookings, users: [user({})] });
  expect(result).toMatchObject({ isClean: true, accounts: [zeros] });
});

test('equal requests without keys are separate calls if each was admitted', () => {
  const [first, second] = ['crowd/0', 'crowd/1'];
  const sound = booksOf({}, { isRepeated: true });
  const books = {
    ...sound,
    billed: sound.billed.map((call) => (call.label === second ? { ...call, label: first } : call)),
    booked: sound.booked.map((call) => ({ ...call, label: undefined })),
    callResults: sound.callResults.map((call) => ({ ...call, label: first })),
  };
  expect(verdict(books)).toMatchObject({ isZero: true, accounts: [zeros] });
  const unmarked = { ...books, accounts: booksOf().accounts };
  expect(verdict(unmarked).accounts).not.toMatchObject([zeros]);
});

test('a call that an operator corrected below its bill is not lost', () => {
  const booked = [
    booking('crowd/0', { picoUsd: 1n, attempts: [attempt('crowd/0', { picoUsd: 1n })] }),
  ];
  const callResults = [ended('crowd/0', 'left')];
  const books = withFirst({ booked, callResults });
  expect(verdict(books).accounts).toMatchObject([{ lost: 1 }]);
  const accounts = booksOf({}, { isCorrectedBelow: true }).accounts;
  const corrections = new Map([['call_crowd/0', 1n]]);
  expect(verdict({ ...books, accounts, corrections }).accounts).toMatchObject([zeros]);
});
