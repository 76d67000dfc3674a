import { formatUsd } from '../lib/money.ts';
import { isCostOf, reasonLeft, repricedAttempts } from './attempts.ts';
import type { Book } from './book.ts';
import { lostCode } from './expire.ts';
import type { Outcome, Reprice } from './operations.ts';
import { budgetsOf, replaceCost } from './replace-cost.ts';
import { assertSameFacts } from './same-facts.ts';
import { isUnpriced } from './usage.ts';

/** A call that was not settled has no counts to price, and may be settled still. */
export function reprice(book: Book, operation: Reprice): Outcome {
  const { callId, app, day, priceVersion, cost, estimated, line } = operation;
  const before = book.calls.get(callId);
  if (before === undefined) return { kind: 'no-call' };
  assertSameFacts(before, { callId, app, day });
  const isOpen = before.code === lostCode || before.basis === 'corrected';
  const isDue = isUnpriced(before.priceVersion) && !isOpen;
  if (!isDue || before.cost !== operation.costBefore) return { kind: 'not-repriced' };
  const attempts = book.attempts.of(callId);
  const repriced = repricedAttempts(attempts, operation);
  if (repriced.length > 0 && !isCostOf(repriced, operation)) return { kind: 'not-repriced' };

  const basis = estimated === 0n ? 'corrected' : before.basis;
  replaceCost(book, budgetsOf(book, before), {
    before: { call: before, attempts },
    after: {
      call: {
        ...{ ...before, priceVersion, cost, estimated, basis },
        estimateReason: reasonLeft(before, estimated, repriced),
      },
      attempts: repriced,
    },
    madeAt: line?.at,
  });
  if (line !== undefined) {
    book.addLine({ ...line, before: formatUsd(before.cost), after: formatUsd(cost) });
  }
  return { kind: 'repriced' };
}
