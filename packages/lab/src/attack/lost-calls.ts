import { shownBills } from './booking-verdict.ts';
import type { Account, BilledCall, BookedCall, Books, CallResult } from './books/books.ts';
import { sum } from './books/spent-caps.ts';

export interface CallInBooks {
  readonly label: string;
  readonly billed: BilledCall[];
  readonly booked: BookedCall[];
  readonly callResults: CallResult[];
}

/** Undefined for a call that was not lost. */
export function lossOf(
  { billed, booked, callResults }: CallInBooks,
  account: Account,
  books: Books,
): string | undefined {
  const shown = shownBills(books, billed);
  const unanswered = callResults.find(isUnanswered);
  if (unanswered !== undefined) return `its caller received ${wordsOf(unanswered)}`;
  if (callResults.some(isNotInBooks)) return 'its answer is not in the books, or at a lower price';
  const isShort = account.isCorrectedBelow !== true && isUnbooked(shown, booked);
  return isShort ? 'the platform billed more than is booked' : undefined;

  function isUnanswered(call: CallResult): boolean {
    if (call.kind === 'failed') return true;
    if (call.kind !== 'denied' || account.capPicoUsd === 0n) return false;
    // Truncated output is a result, and the ledger has it under the same code.
    return call.code !== 'TRUNCATED' || !booked.some(({ code }) => code === 'TRUNCATED');
  }

  function isNotInBooks(call: CallResult): boolean {
    if (call.kind !== 'answered') return false;
    const record = booked.find(({ callId }) => callId === call.callId);
    // Not every protocol returns the platform's id, but the label is always the call's own.
    const isBilled = billed.some(
      ({ requestId }) => call.requestId === undefined || requestId === call.requestId,
    );
    if (!isBilled || record === undefined) return true;
    return record.picoUsd < call.picoUsd && !books.corrections.has(call.callId);
  }
}

function wordsOf(call: CallResult): string {
  return 'code' in call ? `${call.kind} ${call.code}` : call.kind;
}

function isUnbooked(billed: readonly BilledCall[], booked: readonly BookedCall[]): boolean {
  const costs = new Map(
    booked.flatMap(({ attempts }) =>
      attempts.flatMap(({ requestId, picoUsd }) =>
        requestId === undefined ? [] : [[requestId, picoUsd] as const],
      ),
    ),
  );
  let uncovered = 0n;
  for (const { requestId, picoUsd } of billed) {
    const cost = costs.get(requestId);
    if (cost === undefined) uncovered += picoUsd;
    else if (cost < picoUsd) return true;
  }
  const nameless = booked
    .flatMap(({ attempts }) => attempts)
    .filter(({ requestId, isEstimated }) => isEstimated && requestId === undefined);
  const cut = booked.filter(isCut);
  return uncovered > sum([...nameless, ...cut], ({ picoUsd }) => picoUsd);
}

/** Its process died: booked as an estimate, without attempts. */
export function isCut({ attempts, estimatedPicoUsd }: BookedCall): boolean {
  return attempts.length === 0 && estimatedPicoUsd > 0n;
}
