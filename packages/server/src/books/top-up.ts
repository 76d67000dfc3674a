import assert from 'node:assert';
import { formatCredits, picoUsdMax } from '../lib/money.ts';
import type { Book } from './book.ts';
import type { Outcome, TopUp } from './operations.ts';

/** Once for each reference. */
export function topUp(book: Book, operation: TopUp): Outcome {
  const { app, userId, amount, reference, now, line } = operation;
  const before = book.entries.get(app, userId, reference);
  if (before !== undefined) {
    assert(before.amount === amount, `reference ${reference} was used for another amount`);
    return { kind: 'topped-up' };
  }
  const topup = book.topups.get(app, userId);
  assert(topup !== undefined, `no top-up row for a user of ${app}`);
  const available = topup.added - topup.spent - topup.held;
  if (available + amount < 0n) return { kind: 'not-enough', available };
  const room = picoUsdMax - topup.added;
  if (amount > room) return { kind: 'too-much', room };

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
