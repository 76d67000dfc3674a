import assert from 'node:assert';
import { formatCredits, formatUsd, picoUsdMax } from '../lib/money.ts';
import { isCostOf, remainingReason, repricedAttempts } from './attempts.ts';
import type { Book } from './book.ts';
import { correct } from './correct.ts';
import { expire, lostCode } from './expire.ts';
import type { Extend, Operation, Outcome, Reprice, TopUp } from './operations.ts';
import { capOf, refuses } from './refuse.ts';
import { budgetsOf, replaceCost } from './replace-cost.ts';
import { reserve } from './reserve.ts';
import type { BudgetDay } from './rows.ts';
import { assertSameFacts } from './same-facts.ts';
import type { BudgetScope } from './scope.ts';
import { settle } from './settle.ts';
import { collect, release } from './unclaimed.ts';
import { countedOf, shadowOnly } from './uncounted.ts';
import { isUnpriced } from './usage.ts';

/**
 * Pure except for the book: contains neither SQL nor clocks. Throws only on a broken promise, such
 * as other arguments for a settled call, and then has changed nothing.
 */
export function decide(book: Book, operation: Operation): Outcome {
  switch (operation.kind) {
    case 'reserve':
      return reserve(book, operation);
    case 'extend':
      return extend(book, operation);
    case 'settle':
      return settle(book, operation);
    case 'expire':
      return expire(book, operation);
    case 'collect':
      return collect(book, operation);
    case 'release':
      return release(book, operation);
    case 'correct':
      return correct(book, operation);
    case 'reprice':
      return reprice(book, operation);
    case 'top-up':
      return topUp(book, operation);
  }
}

/** A call without a settlement has no counts to price, and might still be settled. */
function reprice(book: Book, operation: Reprice): Outcome {
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
        estimateReason: remainingReason(before, estimated, repriced),
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

/** Each reference is booked once. */
function topUp(book: Book, operation: TopUp): Outcome {
  const { app, userId, amount, reference, now, line } = operation;
  const before = book.entries.get(app, userId, reference);
  if (before !== undefined) {
    assert(
      before.amount === amount,
      `reference ${reference} was already used for a different amount`,
    );
    return { kind: 'topped-up' };
  }
  const topup = book.topups.get(app, userId);
  assert(topup !== undefined, `no top-up row for a user of ${app}`);
  const available = topup.added - topup.spent - topup.held;
  if (available + amount < 0n) return { kind: 'not-enough', available };
  const remaining = picoUsdMax - topup.added;
  if (amount > remaining) return { kind: 'too-much', remaining };

  if (line !== undefined) {
    const { picoUsdPerCredit, ...note } = line;
    const credits = (picoUsd: bigint) => `${formatCredits(picoUsd, picoUsdPerCredit)} credits`;
    const unspent = topup.added - topup.spent;
    const after = `${credits(unspent + amount)}, reference ${reference}`;
    book.addLine({ ...note, before: credits(unspent), after });
  }
  topup.added += amount;
  book.topups.put(topup);
  book.entries.put({ app, userId, reference, amount, at: now });
  return { kind: 'topped-up' };
}

function extend(book: Book, operation: Extend): Outcome {
  const hold = book.holds.get(operation.callId);
  if (hold === undefined) return { kind: 'not-extended' };
  assertSameFacts(hold, operation);
  if (hold.extensions >= operation.extension) return { kind: 'extended' };
  const budget = book.budgets.get(hold.app, hold.day);
  assert(budget !== undefined, `no budget row for the reservation of call ${hold.callId}`);
  const scopes = book.scopes.listed(hold.scopes);
  const { amount } = operation;
  const isFull = (row: BudgetDay | BudgetScope) =>
    refuses(row) && row.spent + row.held + amount > (capOf(row) ?? picoUsdMax);
  if (isFull(budget) || scopes.some(isFull)) return { kind: 'not-extended' };

  budget.held += amount;
  budget.admittedCap = budget.cap;
  book.budgets.put(budget);
  const { rows, list, uncounted } = countedOf(scopes, hold.scopes, amount, shadowOnly);
  for (const scope of uncounted) {
    scope.held -= hold.budgetAmount;
    book.scopes.put(scope);
  }
  for (const scope of rows) {
    scope.held += amount;
    scope.admittedCap = capOf(scope);
    book.scopes.put(scope);
  }
  hold.budgetAmount += amount;
  hold.scopes = list;
  hold.extensions = operation.extension;
  book.holds.change(hold);
  return { kind: 'extended' };
}
