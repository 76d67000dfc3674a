import type { BilledCall, BookedCall, Books, StatedCall } from './books/books.ts';

/** Calls that are booked as exact, or partly so, though their platform contradicted itself. */
export function falselyExact(
  { stated = [] }: Books,
  booked: readonly BookedCall[],
): readonly BookedCall[] {
  const labels = labelsOf(stated, 'estimate');
  return booked.filter(
    ({ label, attempts }) =>
      labels.has(label ?? '') && attempts.some(({ isEstimated }) => !isEstimated),
  );
}

/**
 * Calls that are booked with more than the bill though their platform rejected them, or as exact
 * with another amount than the bill. A corrected call is booked with what an operator knows.
 */
export function falselyBooked(
  { stated = [], corrections, billed }: Books,
  booked: readonly BookedCall[],
): readonly BookedCall[] {
  const rejected = labelsOf(stated, 'bill');
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

/** Calls that are booked as estimates though their counts are exact, a line each. */
export function needlessEstimates({ stated = [], booked }: Books): readonly string[] {
  const labels = labelsOf(stated, 'exact');
  return booked.flatMap(({ label = '', estimatedPicoUsd }) =>
    labels.has(label) && estimatedPicoUsd > 0n
      ? `${label}: its counts are exact, and it is booked as an estimate`
      : [],
  );
}

/** Bills without the part that no response shows: a ledger with an estimate has no more. */
export function shownBills({ stated = [] }: Books, billed: readonly BilledCall[]) {
  const unstated = new Map(
    stated.map(({ label, unstatedPicoUsd = 0n }) => [label, unstatedPicoUsd]),
  );
  return billed.map((call) => ({
    ...call,
    picoUsd: call.picoUsd - (unstated.get(call.label) ?? 0n),
  }));
}

function labelsOf(stated: readonly StatedCall[], booking: StatedCall['booking']): Set<string> {
  return new Set(stated.flatMap((call) => (call.booking === booking ? call.label : [])));
}
