import { describe, expect, test } from 'vitest';
import { attackApps, surfacePicoUsd } from '../../src/attack/arena/accounts.ts';
import { surfaceCall, surfaceRoutes } from '../../src/attack/arena/surfaces.ts';
import type { Books, ExpectedBooking } from '../../src/attack/books/books.ts';
import { answeredCases, rejectedCases } from '../../src/attack/stages/reported-cases.ts';
import { verdict } from '../../src/attack/verdict.ts';
import { answer, attempt, bill, booking, callPicoUsd, ended, withFirst, zeros } from './books.ts';

const label = 'crowd/0';

/** A ledger whose first call has this bill and booking, as an estimate. */
function books(amounts: {
  readonly billed: bigint;
  readonly booked: bigint;
  readonly expectedBooking: Omit<ExpectedBooking, 'label'>;
  readonly isRejected?: boolean;
}): Books {
  const { billed, booked: picoUsd, expectedBooking, isRejected = false } = amounts;
  const estimate = { picoUsd, isEstimated: true, isAnswered: !isRejected };
  const call = { picoUsd, estimatedPicoUsd: picoUsd, attempts: [attempt(label, estimate)] };
  const own = withFirst({
    billed: billed === 0n ? [] : [bill(label, { picoUsd: billed })],
    booked: [booking(label, call)],
    callResults: [isRejected ? ended(label, 'left') : answer(label, { picoUsd })],
  });
  return { ...own, expectedBookings: [{ label, ...expectedBooking }] };
}

const rejection = { booking: 'bill' } as const;
const isRejected = true;

describe('a rejection with status 200', () => {
  test.each([
    { what: 'that is booked though it was not billed', billed: 0n, booked: 1n, falseBookings: 1 },
    { what: 'that is booked above its bill', billed: 400n, booked: 401n, falseBookings: 1 },
    { what: 'that is booked with its bill', billed: 400n, booked: 400n, falseBookings: 0 },
    { what: 'that is neither billed nor booked', billed: 0n, booked: 0n, falseBookings: 0 },
  ])('$what', ({ billed, booked, falseBookings }) => {
    const result = verdict(books({ billed, booked, expectedBooking: rejection, isRejected }));
    expect(result.accounts).toMatchObject([{ ...zeros, falseBookings }]);
    expect(result.isZero).toBe(falseBookings === 0);
  });

  test('is lost if it is booked below its reported cost', () => {
    const result = verdict(
      books({ billed: 400n, booked: 399n, expectedBooking: rejection, isRejected }),
    );
    expect(result.accounts).toMatchObject([{ ...zeros, lost: 1 }]);
  });

  test('is lost if a caller takes it for a response', () => {
    const result = verdict(books({ billed: 0n, booked: 0n, expectedBooking: rejection }));
    expect(result.accounts).toMatchObject([{ ...zeros, lost: 1 }]);
  });
});

describe('a bill above what a response shows', () => {
  const expectedBooking = { booking: 'estimate', unreportedPicoUsd: 600n } as const;

  test('is no loss if the shown part is booked as an estimate', () => {
    const result = verdict(books({ billed: callPicoUsd, booked: 400n, expectedBooking }));
    expect(result).toMatchObject({ isClean: true, accounts: [zeros] });
  });

  test('is a loss if less than the shown part is booked', () => {
    const result = verdict(books({ billed: callPicoUsd, booked: 399n, expectedBooking }));
    expect(result.accounts).toMatchObject([{ ...zeros, lost: 1 }]);
  });

  test('is falsely exact if the shown part is booked as the bill', () => {
    const amounts = { picoUsd: 400n, attempts: [attempt(label, { picoUsd: 400n })] };
    const exact = withFirst({ booked: [booking(label, amounts)] });
    // No response shows more than the booking.
    const callResults = [ended(label, 'left'), ...exact.callResults.slice(1)];
    const result = verdict({
      ...exact,
      callResults,
      expectedBookings: [{ label, ...expectedBooking }],
    });
    expect(result.accounts).toMatchObject([{ ...zeros, falseExact: 1, falseBookings: 1 }]);
  });

  test('exceeds no budget', () => {
    const above = books({ billed: callPicoUsd + 600n, booked: callPicoUsd, expectedBooking });
    expect(verdict(above)).toMatchObject({ isClean: true, accounts: [zeros] });
    const more = books({ billed: callPicoUsd + 601n, booked: callPicoUsd + 1n, expectedBooking });
    expect(verdict(more).accounts).toMatchObject([{ ...zeros, overspendPicoUsd: 1n }]);
  });
});

test('a corrected call is booked exactly, with another amount than its bill', () => {
  const picoUsd = callPicoUsd + 1n;
  const booked = [booking(label, { picoUsd, attempts: [attempt(label, { picoUsd })] })];
  const corrections = new Map([[`call_${label}`, picoUsd]]);
  expect(verdict(withFirst({ booked })).accounts).toMatchObject([{ falseBookings: 1 }]);
  const result = verdict({ ...withFirst({ booked }), corrections });
  expect(result.accounts).toMatchObject([{ falseBookings: 0 }]);
});

describe('the cases of another report', () => {
  test('are on every route, and all of them fit the budget', () => {
    const { fits, maximumCostPicoUsd } = attackApps.reported;
    expect(answeredCases.length).toBeLessThan(fits);
    for (const cases of [rejectedCases, answeredCases]) {
      const routes = cases.map(({ surface: { path, ending } }) => `${path} ${ending}`);
      expect(new Set(routes)).toEqual(
        new Set(surfaceRoutes.map(({ path, ending }) => `${path} ${ending}`)),
      );
      for (const { surface, instructions } of cases) {
        const call = surfaceCall(surface, label, { instructions });
        expect(call.maximumCostPicoUsd).toBeLessThanOrEqual(maximumCostPicoUsd);
        expect(call.maximumCostPicoUsd).toBe(surfacePicoUsd);
      }
    }
  });
});
