import { formatUsd, larger, smaller } from '../lib/money.ts';
import { correctedAttempts, isCostOf, remainingReason } from './attempts.ts';
import type { Book } from './book.ts';
import { walletMostOf } from './held-wallet.ts';
import type { Correct, Estimates, Outcome } from './operations.ts';
import { budgetsOf, replaceCost } from './replace-cost.ts';
import type { Attempt, CallRecord, IdempotencyRow } from './rows.ts';
import { assertSameFacts } from './same-facts.ts';

/** A wallet that paid now pays the new cost, at most its first reservation. */
export function correct(book: Book, operation: Correct): Outcome {
  const before = book.calls.get(operation.callId);
  if (before === undefined) return { kind: 'no-call' };
  assertSameFacts(before, operation);
  const { cost, line, estimates } = operation;
  if (estimates !== undefined) return correctEstimates(book, before, { ...operation, estimates });
  const budgets = budgetsOf(book, before);

  const paid = replacePayment(book, before, smaller(cost, walletMostOf(before)));
  const exact = { cost, estimated: 0n, basis: 'corrected', estimateReason: undefined } as const;
  const after = { ...before, ...paid, ...exact };
  const attempts = book.attempts.of(before.callId);
  replaceCost(book, budgets, {
    before: { call: before, attempts },
    after: { call: after, attempts: correctedAttempts(attempts, cost) },
    madeAt: line?.at,
  });
  // A correction without a change also uses up its reference.
  if (line !== undefined && (line.reference !== undefined || !isSame(before, after))) {
    book.addLine({ ...line, before: formatUsd(before.cost), after: formatUsd(cost) });
  }
  return { kind: 'corrected', before: before.cost };
}

function isSame(before: CallRecord, after: CallRecord): boolean {
  return (
    before.cost === after.cost &&
    before.estimated === after.estimated &&
    before.basis === after.basis &&
    before.walletGrant === after.walletGrant &&
    before.walletTopup === after.walletTopup
  );
}

function replacePayment(book: Book, call: CallRecord, cost: bigint) {
  const { walletGrant, walletTopup } = call;
  const before = { walletGrant, walletTopup };
  // A wallet that paid nothing received nothing: an estimate, or an answer that never reached the
  // user.
  if (walletGrant + walletTopup === 0n) return before;
  if (call.userId === undefined || call.month === undefined) return before;
  const month = book.wallets.get(call.app, call.userId, call.month);
  const topup = book.topups.get(call.app, call.userId);
  if (month === undefined || topup === undefined) return before;
  const key = keyOf(book, call);
  const due = key === undefined ? cost : dueUnder(key, call, cost);
  const remainingGrant = month.granted - month.spentGrant - month.heldGrant + walletGrant;
  const grant = smaller(due, remainingGrant);
  const remainingTopup = topup.added - topup.spent - topup.held + walletTopup;
  const rest = smaller(due - grant, remainingTopup);
  month.spentGrant += grant - walletGrant;
  month.spentTopup += rest - walletTopup;
  topup.spent += rest - walletTopup;
  book.wallets.put(month);
  book.topups.put(topup);
  if (key !== undefined) {
    key.walletPaid += grant + rest - walletGrant - walletTopup;
    book.idempotency.put(key);
  }
  return { walletGrant: grant, walletTopup: rest };
}

/** The key's row, as long as its payments include the call's payment. */
function keyOf(book: Book, { app, keyHash, walletGrant, walletTopup }: CallRecord) {
  const row = keyHash === undefined ? undefined : book.idempotency.get(app, keyHash);
  return row !== undefined && row.walletPaid >= walletGrant + walletTopup ? row : undefined;
}

/**
 * Under one key, only the most expensive call is paid. A later call paid less by this call's
 * payment, which remains.
 */
function dueUnder(key: IdempotencyRow, call: CallRecord, cost: bigint): bigint {
  const own = call.walletGrant + call.walletTopup;
  const others = key.walletPaid - own;
  const rest = larger(0n, cost - others);
  return others > 0n && key.callId !== call.callId ? larger(own, rest) : rest;
}

/** The costs that platforms reported remain, and so does the wallet's payment. */
function correctEstimates(
  book: Book,
  before: CallRecord,
  operation: Correct & { readonly estimates: Estimates },
): Outcome {
  const { cost, line, estimates } = operation;
  const attempts = book.attempts.of(before.callId);
  const settled = attempts.map((attempt) => settledAttempt(attempt, estimates));
  const estimated = settled.reduce(
    (sum, attempt) => (attempt.basis === 'estimated' ? sum + attempt.cost : sum),
    0n,
  );
  const isWhole =
    attempts.length === 0
      ? cost >= before.cost - before.estimated
      : isCostOf(settled, { cost, estimated });
  if (before.cost !== estimates.costBefore || before.estimated === 0n || !isWhole) {
    return { kind: 'not-repriced' };
  }

  const basis = estimated === 0n ? 'corrected' : before.basis;
  replaceCost(book, budgetsOf(book, before), {
    before: { call: before, attempts },
    after: {
      call: {
        ...before,
        cost,
        estimated,
        basis,
        estimateReason: remainingReason(before, estimated, settled),
      },
      attempts: settled,
    },
    madeAt: line?.at,
  });
  if (line !== undefined) {
    book.addLine({ ...line, before: formatUsd(before.cost), after: formatUsd(cost) });
  }
  return { kind: 'corrected', before: before.cost };
}

function settledAttempt(attempt: Attempt, { attempts }: Estimates): Attempt {
  const correction = attempts.find(({ n }) => n === attempt.n);
  if (correction === undefined || attempt.basis !== 'estimated') return attempt;
  return { ...attempt, cost: correction.cost, basis: 'corrected', estimateReason: undefined };
}
