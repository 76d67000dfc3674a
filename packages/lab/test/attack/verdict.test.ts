import { describe, expect, test } from 'vitest';
import type { Books, CallResult, ScopeBook } from '../../src/attack/books/books.ts';
import { verdict } from '../../src/attack/verdict.ts';
import {
  answer,
  attempt,
  bill,
  booking,
  booksOf,
  callPicoUsd,
  cutBooking,
  ended,
  refusal,
  soundCall,
  withFirst,
  zeros,
} from './books.ts';

test('matching books of a spent budget are clean and conclusive', () => {
  const result = verdict(booksOf());
  const spent = callPicoUsd * 10n;
  expect(result).toEqual({
    accounts: [
      {
        ...{ name: 'crowd', capPicoUsd: spent, requestedPicoUsd: spent },
        ...{ billedPicoUsd: spent, bookedPicoUsd: spent, ...zeros, losses: [] },
      },
    ],
    scopes: [],
    budgets: [],
    broken: [],
    isZero: true,
    isClean: true,
    isConclusive: true,
  });
});

describe('a fault of the gateway turns the verdict red, under its own name', () => {
  const eleventh = soundCall('crowd/10');
  const first = 'crowd/0';
  const rows: readonly { fault: string; books: Books; expected: Partial<typeof zeros> }[] = [
    {
      fault: 'it forgets a hold, and one call more is admitted, billed and booked',
      books: booksOf({
        billed: [...booksOf().billed, ...eleventh.billed],
        booked: [...booksOf().booked, ...eleventh.booked],
        callResults: [...booksOf().callResults, ...eleventh.callResults],
      }),
      expected: { overspendPicoUsd: callPicoUsd },
    },
    {
      fault: 'it lets the last call cost one pico-USD more than was left',
      books: withFirst({
        billed: [bill(first, { picoUsd: callPicoUsd + 1n })],
        booked: [
          booking(first, {
            picoUsd: callPicoUsd + 1n,
            attempts: [attempt(first, { picoUsd: callPicoUsd + 1n })],
          }),
        ],
      }),
      expected: { overspendPicoUsd: 1n },
    },
    {
      fault: 'it books a call twice, in two rows',
      books: withFirst({ booked: [booking(first), booking(first, { callId: 'call_again' })] }),
      expected: { doubled: 1, overspendPicoUsd: callPicoUsd },
    },
    {
      fault: 'it books twice the price',
      books: withFirst({
        booked: [
          booking(first, {
            picoUsd: 2n * callPicoUsd,
            attempts: [attempt(first, { picoUsd: 2n * callPicoUsd })],
          }),
        ],
      }),
      expected: { doubled: 1, falseBookings: 1, overspendPicoUsd: callPicoUsd },
    },
    {
      fault: 'it calls the platform twice for one key',
      books: withFirst({
        billed: [bill(first), bill(first, { requestId: 'req_again' })],
        booked: [booking(first), booking(first, { callId: 'call_again', picoUsd: 0n })],
      }),
      expected: { doubled: 1, lost: 1, overspendPicoUsd: callPicoUsd },
    },
    {
      fault: 'it gives two answers under one key',
      books: withFirst({ callResults: [answer(first), answer(first, { callId: 'call_again' })] }),
      expected: { doubled: 1, lost: 1 },
    },
    {
      fault: 'it drops a settlement, and the bill is in no book',
      books: withFirst({ booked: [] }),
      expected: { lost: 1 },
    },
    {
      fault: 'it books an answer as free',
      books: withFirst({
        booked: [booking(first, { picoUsd: 0n, attempts: [attempt(first, { picoUsd: 0n })] })],
      }),
      expected: { lost: 1, falseBookings: 1 },
    },
    {
      fault: 'it tells a caller another cost than it books',
      books: withFirst({ callResults: [answer(first, { picoUsd: callPicoUsd + 1n })] }),
      expected: { lost: 1 },
    },
    {
      fault: 'it answers what no platform has billed',
      books: withFirst({ billed: [] }),
      expected: { lost: 1, doubled: 1, falseBookings: 1 },
    },
    {
      fault: 'it never answers',
      books: withFirst({ callResults: [ended(first, 'failed')] }),
      expected: { lost: 1 },
    },
    {
      fault: 'it refuses a right request for another reason than the budget',
      books: withFirst({ billed: [], booked: [], callResults: [ended(first, 'denied')] }),
      expected: { lost: 1 },
    },
    {
      fault: 'it refuses a call that fits',
      books: booksOf({
        callResults: [
          ...booksOf().callResults,
          refusal('crowd/10', ['0.00000001', '0.000000008', '0', '0.000000002']),
        ],
        crowds: [],
      }),
      expected: { falseRefusals: 1 },
    },
    {
      fault: 'it admits fewer of a crowd than fit',
      books: booksOf({ crowds: [{ account: 'crowd', fits: 10, admitted: 8 }] }),
      expected: { falseRefusals: 2 },
    },
    {
      fault: 'it never ends a hold',
      books: booksOf({ held: [{ account: 'crowd', picoUsd: 7n }] }),
      expected: { heldPicoUsd: 7n },
    },
  ];
  test.each(rows)('$fault', ({ books, expected }) => {
    const { accounts, isClean } = verdict(books);
    expect(accounts).toMatchObject([{ ...zeros, ...expected }]);
    expect(isClean).toBe(false);
  });

  test('a lost call is named, with the reason', () => {
    const books = withFirst({ billed: [], booked: [], callResults: [ended(first, 'denied')] });
    expect(verdict(books).broken).toEqual(['crowd/0 was lost: its caller received denied SERVER']);
  });

  test('an estimate without a name is found by its failed request’s id', () => {
    const nameless = attempt(first, { requestId: undefined, isEstimated: true, isAnswered: false });
    const repeated = booking(first, { callId: 'call_anew', attempts: [attempt('anew')] });
    const cut = { code: 'TIMEOUT', estimatedPicoUsd: callPicoUsd, attempts: [nameless] };
    const callResults = [answer(first, { callId: 'call_anew' })];
    const pages = {
      billed: [bill(first), bill(first, { requestId: 'req_anew' })],
      booked: [booking(first, { callId: 'call_1', label: undefined, ...cut }), repeated],
    };
    const lost = verdict(withFirst({ ...pages, callResults }));
    expect(lost.accounts).toMatchObject([{ lost: 1 }]);
    const result = verdict(
      withFirst({
        ...pages,
        callResults: callResults.map((call) => ({ ...call, failedIds: ['call_1'] })),
      }),
    );
    expect(result.accounts).toMatchObject([{ lost: 0, doubled: 0 }]);
  });

  test('truncated output is no loss if the ledger has the same code', () => {
    const callResults = [ended(first, 'denied', 'TRUNCATED')];
    const truncated = withFirst({ callResults, booked: [booking(first, { code: 'TRUNCATED' })] });
    expect(verdict(truncated)).toMatchObject({ isClean: true });
    expect(verdict(withFirst({ callResults }))).toMatchObject({ isClean: false });
  });

  test.each([
    { why: 'an invariant is broken', books: booksOf({ broken: ['audit I4'] }), line: 'audit I4' },
    {
      why: 'more of a crowd was admitted than fit',
      books: booksOf({ crowds: [{ account: 'crowd', fits: 9, admitted: 10 }] }),
      line: 'crowd: 10 calls were admitted where 9 fit',
    },
  ])('$why', ({ books, line }) => {
    expect(verdict(books)).toMatchObject({ isZero: true, isClean: false, broken: [line] });
  });
});

describe('a budget for some of the calls', () => {
  const labels = new Set(booksOf().callResults.map(({ label }) => label));
  const full = 'group-day:pair';
  const refusedBy = (scope: string): CallResult => {
    const message = 'Budget exceeded: the daily budget of the group pair cannot cover this call';
    return {
      account: 'crowd',
      label: 'crowd/10',
      maximumCostPicoUsd: 1n,
      kind: 'refused',
      message,
      scope,
    };
  };
  const of = (change: Partial<ScopeBook>, more: Partial<Books> = {}) => {
    const crowd = new Set([...labels, 'crowd/10']);
    const sound = { name: full, capPicoUsd: 10n * callPicoUsd, labels: crowd, crowd, fits: 10 };
    const callResults = [...booksOf().callResults, refusedBy(full)];
    return verdict(booksOf({ scopes: [{ ...sound, ...change }], callResults, ...more }));
  };

  test('is clean if it is full and names itself', () => {
    const sums = { billedPicoUsd: 10n * callPicoUsd, bookedPicoUsd: 10n * callPicoUsd };
    expect(of({})).toMatchObject({
      ...{ isClean: true, isConclusive: true },
      scopes: [{ name: full, ...sums, overspendPicoUsd: 0n, falseRefusals: 0 }],
    });
  });

  const tenCalls = 10n * callPicoUsd;
  test.each([
    { fault: 'is passed by a pico-USD', book: { capPicoUsd: tenCalls - 1n }, passed: 1n },
    {
      fault: 'is passed in the ledger alone',
      book: { capPicoUsd: 1n },
      more: { billed: [] },
      passed: tenCalls - 1n,
    },
    { fault: 'admits fewer than fit', book: { fits: 12 }, refusals: 2 },
    {
      fault: 'is not the one that refuses',
      more: { callResults: [...booksOf().callResults, refusedBy('app-day')] },
      refusals: 1,
    },
  ])('$fault: red', ({ book, more, passed = 0n, refusals = 0 }) => {
    const { isClean, scopes } = of(book ?? {}, more);
    expect(isClean).toBe(false);
    expect(scopes).toMatchObject([{ overspendPicoUsd: passed, falseRefusals: refusals }]);
  });

  test('proves little if it is hardly used', () => {
    expect(of({ capPicoUsd: 20n * callPicoUsd })).toMatchObject({ isConclusive: false });
  });
});

describe('no fault:', () => {
  const first = 'crowd/0';
  const rows: readonly { what: string; books: Books }[] = [
    {
      what: 'a refusal whose amounts pass the cap',
      books: booksOf({
        callResults: [
          ...booksOf().callResults,
          refusal('crowd/10', ['0.00000001', '0.00000001', '0', '0.000000001']),
        ],
      }),
    },
    {
      what: 'a call that a kill cut after its bill, and its repetition',
      books: {
        ...withFirst({
          billed: [bill(first, { requestId: 'req_cut' }), bill(first)],
          booked: [cutBooking(first), booking(first)],
        }),
        accounts: [{ name: 'crowd', app: 'crowd', capPicoUsd: callPicoUsd * 11n }],
      },
    },
    {
      what: 'a call that a kill cut before its bill',
      books: withFirst({
        billed: [],
        booked: [cutBooking(first)],
        callResults: [ended(first, 'left')],
      }),
    },
    {
      what: 'an attempt whose answer was lost, and the next of the same call',
      books: {
        ...withFirst({
          billed: [bill(first, { requestId: 'req_lost' }), bill(first)],
          booked: [
            booking(first, {
              picoUsd: 2n * callPicoUsd,
              estimatedPicoUsd: callPicoUsd,
              attempts: [
                attempt(first, { requestId: undefined, isEstimated: true, isAnswered: false }),
                attempt(first),
              ],
            }),
          ],
        }),
        accounts: [{ name: 'crowd', app: 'crowd', capPicoUsd: callPicoUsd * 11n }],
      },
    },
    {
      what: 'a call that is booked at more than its bill, as an estimate',
      books: withFirst({
        billed: [bill(first, { picoUsd: 400n })],
        booked: [
          booking(first, {
            estimatedPicoUsd: callPicoUsd,
            attempts: [attempt(first, { isEstimated: true })],
          }),
        ],
      }),
    },
  ];
  test.each(rows)('$what', ({ books }) => {
    expect(verdict(books)).toMatchObject({ isClean: true, accounts: [zeros] });
  });
});

describe('a platform that bills more than requested', () => {
  const overstated = { isOverstated: true } as const;
  const last = 'crowd/9';
  const dear = { picoUsd: callPicoUsd * 3n };
  const books = (change: Partial<Books>) => {
    const { billed, booked } = booksOf();
    return booksOf(
      {
        billed: [...billed.slice(0, 9), bill(last, dear)],
        booked: [
          ...booked.slice(0, 9),
          booking(last, { ...dear, attempts: [attempt(last, dear)] }),
        ],
        ...change,
      },
      overstated,
    );
  };

  test('may exceed the budget with the last call that fitted', () => {
    expect(verdict(books({})).accounts).toMatchObject([zeros]);
  });

  test('overspends with a later admission, by all earlier bills', () => {
    const late = soundCall('crowd/10');
    const { billed, booked, callResults } = books({});
    const result = verdict(
      books({
        billed: [...billed, ...late.billed],
        booked: [...booked, ...late.booked],
        callResults: [...callResults, ...late.callResults],
      }),
    );
    expect(result.accounts).toMatchObject([{ overspendPicoUsd: callPicoUsd * 3n }]);
  });

  test('loses the unbooked part of a bill above the reservation', () => {
    const { booked } = booksOf();
    expect(verdict(books({ booked })).accounts).toMatchObject([{ lost: 1 }]);
  });
});

test('a call is identified by its label if its protocol does not return the platform’s id', () => {
  const callResults = [answer('crowd/0', { requestId: undefined })];
  expect(verdict(withFirst({ callResults })).accounts).toMatchObject([zeros]);
  expect(verdict(withFirst({ callResults, billed: [] })).accounts).toMatchObject([{ lost: 1 }]);
  expect(verdict(withFirst({ callResults, booked: [] })).accounts).toMatchObject([{ lost: 1 }]);
});

test('an app that may spend nothing overspends with its first call', () => {
  expect(verdict(booksOf({}, { capPicoUsd: 0n })).accounts).toMatchObject([
    { overspendPicoUsd: callPicoUsd * 10n },
  ]);
});

test('an app that may spend nothing is rejected without a loss', () => {
  const denied = ended('crowd/0', 'denied');
  const books = booksOf(
    { billed: [], booked: [], callResults: [denied], crowds: [] },
    { capPicoUsd: 0n },
  );
  expect(verdict(books)).toMatchObject({ isClean: true, accounts: [zeros] });
});

test('zeros are not conclusive if less than 95 % of the budgets were spent', () => {
  const { billed, booked, callResults } = booksOf();
  const pages = (count: number) => ({
    billed: billed.slice(0, count),
    booked: booked.slice(0, count),
    callResults: callResults.slice(0, count),
    crowds: [],
  });
  expect(verdict(booksOf(pages(9)))).toMatchObject({ isClean: true, isConclusive: false });
  expect(verdict(booksOf(pages(10)))).toMatchObject({ isClean: true, isConclusive: true });
});
