import assert from 'node:assert';
import { larger, smaller } from '../lib/money.ts';
import type { Book } from './book.ts';
import type { BudgetDay, CallRecord } from './rows.ts';
import { usageOf } from './usage.ts';

/** The budget of a finished call's day. Throws where its row is gone. */
export function budgetOf(book: Book, call: CallRecord): BudgetDay {
  const budget = book.budgets.get(call.app, call.day);
  assert(budget !== undefined, `no budget row for the day of call ${call.callId}`);
  return budget;
}

/**
 * Puts a finished call's record right, and its day and its usage with it. What the call had left
 * free may be taken by now: a cost that grows counts as an overrun.
 */
export function replaceCost(
  book: Book,
  budget: BudgetDay,
  change: { readonly before: CallRecord; readonly after: Omit<CallRecord, 'held'> },
) {
  const { before } = change;
  const after = { ...change.after, held: smaller(before.held, before.cost) };
  budget.spent += after.cost - before.cost;
  budget.estimated += after.estimated - before.estimated;
  budget.overrun += overrunOf(after) - overrunOf(before);
  book.budgets.put(budget);
  book.calls.put(after);
  const was = usageOf(before);
  const is = usageOf(after);
  book.addUsage({
    ...is,
    calls: is.calls - was.calls,
    errors: is.errors - was.errors,
    inputTokens: is.inputTokens - was.inputTokens,
    cachedInputTokens: is.cachedInputTokens - was.cachedInputTokens,
    cacheWriteInputTokens: is.cacheWriteInputTokens - was.cacheWriteInputTokens,
    outputTokens: is.outputTokens - was.outputTokens,
    reasoningTokens: is.reasoningTokens - was.reasoningTokens,
    cost: is.cost - was.cost,
    estimated: is.estimated - was.estimated,
    unpricedCalls: is.unpricedCalls - was.unpricedCalls,
  });
}

function overrunOf(call: CallRecord): bigint {
  return larger(0n, call.cost - call.held);
}
