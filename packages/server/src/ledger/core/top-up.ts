import assert from 'node:assert';
import type { Book } from './book.ts';
import type { Outcome, TopUp } from './operations.ts';

/** Adds or takes back top-up money, once for each reference. */
export function topUp(book: Book, operation: TopUp): Outcome {
  const { app, userId, amount, reference, now } = operation;
  const before = book.entries.get(app, userId, reference);
  if (before !== undefined) {
    assert(before.amount === amount, `reference ${reference} was used for another amount`);
    return { kind: 'topped-up' };
  }
  const topup = book.topups.get(app, userId);
  assert(topup !== undefined, `no top-up row for a user of ${app}`);
  const available = topup.added - topup.spent - topup.held;
  if (available + amount < 0n) return { kind: 'not-enough', available };

  topup.added += amount;
  book.topups.put(topup);
  book.entries.put({ app, userId, reference, amount, at: now });
  return { kind: 'topped-up' };
}
