import type { Book } from '../../src/books/book.ts';
import { decide } from '../../src/books/decide.ts';
import type { Operation } from '../../src/books/operations.ts';
import type { CallRecord } from '../../src/books/rows.ts';
import { picoUsdMax } from '../../src/lib/money.ts';
import type { Decide } from './memory-subject.ts';

/** Bugs in who pays for a response, and in takeovers of keys: one each. */
export const receiptBugs: Readonly<Record<string, Decide>> = {
  'a takeover leaves the hold of the dead call': (book, operation) => {
    if (operation.kind !== 'reserve' || operation.ends === undefined)
      return decide(book, operation);
    const dead = book.holds.get(operation.ends.callId);
    if (dead === undefined) return decide(book, operation);
    const { holds } = book;
    const other = {
      ...holds,
      get: (id: string) => (id === dead.callId ? undefined : holds.get(id)),
    };
    return decide({ ...book, holds: other }, operation);
  },

  'a call is ended whose process lives': (book, operation) => {
    if (operation.kind !== 'reserve' || operation.ends === undefined)
      return decide(book, operation);
    return decide({ ...book, isAlive: () => false }, operation);
  },

  'a key pays for each of its calls': (book, operation) => {
    const key = operation.kind === 'settle' ? operation.facts.keyHash : undefined;
    const row = key && book.idempotency.get('tutor', key);
    const paid = row ? row.walletPaid : 0n;
    if (row) row.walletPaid = 0n;
    const outcome = decide(book, operation);
    if (row) row.walletPaid += paid;
    return outcome;
  },

  'a correction is not counted under its key': (book, operation) => {
    if (operation.kind !== 'correct') return decide(book, operation);
    return decide(
      { ...book, idempotency: { ...book.idempotency, get: () => undefined } },
      operation,
    );
  },

  'a result that waits for its retry is paid at once': (book, operation) =>
    operation.kind === 'settle'
      ? decide(book, { ...operation, isUnclaimed: undefined })
      : decide(book, operation),

  'the retry gets its result for nothing': (book, operation) =>
    operation.kind === 'collect'
      ? decide({ ...book, unclaimed: { ...book.unclaimed, get: () => undefined } }, operation)
      : decide(book, operation),

  'what is collected again is paid again': (book, operation) =>
    operation.kind === 'collect'
      ? decide(book, { ...operation, claimedBy: `${operation.claimedBy}, again` })
      : decide(book, operation),

  'a wallet that no retry came for gets nothing back': (book, operation) => {
    if (operation.kind !== 'release') return decide(book, operation);
    const waiting = book.unclaimed.get(operation.callId);
    const outcome = decide(book, operation);
    const wallet = waiting && book.wallets.get(waiting.app, waiting.userId, waiting.month);
    if (outcome.kind === 'released' && wallet && waiting) wallet.heldGrant += waiting.grantHeld;
    return outcome;
  },

  'a late settlement takes more than was held': (book, operation) => {
    const lost = lostOf(book, operation);
    if (lost === undefined) return decide(book, operation);
    book.calls.put({ ...lost, walletHeld: picoUsdMax });
    const outcome = decide(book, operation);
    putHeldBack(book, lost);
    return outcome;
  },

  'a correction takes more than was held': (book, operation) => {
    const before = operation.kind === 'correct' && book.calls.get(operation.callId);
    if (!before) return decide(book, operation);
    book.calls.put({ ...before, walletHeld: picoUsdMax });
    const outcome = decide(book, operation);
    putHeldBack(book, before);
    return outcome;
  },

  'a late settlement takes what a correction has taken back': (book, operation) => {
    const lost = lostOf(book, operation);
    if (lost?.basis !== 'corrected') return decide(book, operation);
    book.calls.put({ ...lost, cost: picoUsdMax });
    return decide(book, operation);
  },
};

/** The call that a late settlement belongs to. */
function lostOf(book: Book, operation: Operation): CallRecord | undefined {
  const call = operation.kind === 'settle' ? book.calls.get(operation.facts.callId) : undefined;
  return call?.code === 'LOST' ? call : undefined;
}

function putHeldBack(book: Book, { callId, walletHeld }: CallRecord) {
  const after = book.calls.get(callId);
  if (after !== undefined) book.calls.put({ ...after, walletHeld });
}
