import type { BilledCall, BookedCall, Books, ExpectedBooking } from './books/books.ts';

export function falselyExact(
  { expectedBookings = [] }: Books,
  booked: readonly BookedCall[],
): readonly BookedCall[] {
  const labels = labelsOf(expectedBookings, 'estimate');
  return booked.filter(
    ({ label, attempts }) =>
      labels.has(label ?? '') && attempts.some(({ isEstimated }) => !isEstimated),
  );
}

/** Above the bill after a rejection, or exact with another amount. Corrected calls are exempt. */
export function falselyBooked(
  { expectedBookings = [], corrections, billed }: Books,
  booked: readonly BookedCall[],
): readonly BookedCall[] {
  const rejected = labelsOf(expectedBookings, 'bill');
  const bills = new Map(billed.map(({ requestId, picoUsd }) => [requestId, picoUsd]));
  return booked.filter((call) => {
    const { callId, label = '', picoUsd } = call;
    if (corrections.has(callId)) return false;
    if (isExactlyOther(call)) return true;
    return rejected.has(label) && picoUsd > billOf(label);
  });

  function isExactlyOther({ attempts }: BookedCall): boolean {
    return attempts.some(
      ({ requestId = '', picoUsd, isEstimated }) =>
        !isEstimated && picoUsd !== (bills.get(requestId) ?? 0n),
    );
  }

  function billOf(label: string): bigint {
    const own = billed.filter((call) => call.label === label);
    return own.reduce((total, { picoUsd }) => total + picoUsd, 0n);
  }
}

export function needlessEstimates({ expectedBookings = [], booked }: Books): readonly string[] {
  const labels = labelsOf(expectedBookings, 'exact');
  return booked.flatMap(({ label = '', estimatedPicoUsd }) =>
    labels.has(label) && estimatedPicoUsd > 0n
      ? `${label}: its counts are exact, and it is booked as an estimate`
      : [],
  );
}

/** Without the part that no response shows: a ledger with an estimate lacks it too. */
export function shownBills({ expectedBookings = [] }: Books, billed: readonly BilledCall[]) {
  const unreported = new Map(
    expectedBookings.map(({ label, unreportedPicoUsd = 0n }) => [label, unreportedPicoUsd]),
  );
  return billed.map((call) => ({
    ...call,
    picoUsd: call.picoUsd - (unreported.get(call.label) ?? 0n),
  }));
}

function labelsOf(
  expectedBookings: readonly ExpectedBooking[],
  booking: ExpectedBooking['booking'],
): Set<string> {
  return new Set(expectedBookings.flatMap((call) => (call.booking === booking ? call.label : [])));
}
