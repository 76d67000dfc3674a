import { formatUsd } from '../lib/money.ts';
import { isCostOf, reasonLeft } from './attempts.ts';
import type { Book } from './book.ts';
import type { Correct, Estimates, Outcome } from './operations.ts';
import { budgetsOf, replaceCost } from './replace-cost.ts';
import type { Attempt, CallRecord } from './rows.ts';

/** What platforms have stated stays, and so does what its wallet has paid. */
export function correctEstimates(
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
        estimateReason: reasonLeft(before, estimated, settled),
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
  const found = attempts.find(({ n }) => n === attempt.n);
  if (found === undefined || attempt.basis !== 'estimated') return attempt;
  return { ...attempt, cost: found.cost, basis: 'corrected', estimateReason: undefined };
}
