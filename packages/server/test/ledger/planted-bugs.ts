import type { Book } from '../../src/books/book.ts';
import type { ScopeClaim } from '../../src/books/claims.ts';
import { decide } from '../../src/books/decide.ts';
import type { Outcome, Reserve, Settle } from '../../src/books/operations.ts';
import type { BudgetDay } from '../../src/books/rows.ts';
import type { ScopeMode } from '../../src/books/scope.ts';
import { utcDayOf } from '../../src/lib/clock.ts';
import { smaller } from '../../src/lib/money.ts';
import type { Decide } from './memory-subject.ts';
import { receiptBugs } from './planted-receipt-bugs.ts';

/** The core with one bug each. The model test must find every one. */
export const plantedBugs: Readonly<Record<string, Decide>> = {
  'a settlement is dropped': (book, operation) =>
    operation.kind === 'settle' && book.holds.get(operation.facts.callId) !== undefined
      ? { kind: 'settled', isOrphan: false, badOutputs: 0, takenOverBy: undefined }
      : decide(book, operation),

  'a settlement is booked twice': (book, operation) => {
    const outcome = decide(book, operation);
    if (operation.kind === 'settle') {
      changeDay(book, operation.facts, (day) => {
        day.spent += operation.end.cost;
      });
    }
    return outcome;
  },

  'a settlement leaves its hold in the budget': (book, operation) => {
    const held = heldFor(book, operation);
    const outcome = decide(book, operation);
    if (operation.kind === 'settle') {
      changeDay(book, operation.facts, (day) => {
        day.held += held;
      });
    }
    return outcome;
  },

  'the cap ignores what is held': (book, operation) => {
    if (operation.kind !== 'reserve') return decide(book, operation);
    const day = book.budgets.get(operation.facts.app, operation.facts.day);
    const held = day?.held ?? 0n;
    if (day !== undefined) day.held = 0n;
    const outcome = decide(book, operation);
    if (day !== undefined) day.held += held;
    return outcome;
  },

  'an expiry gives nothing back to the wallet': (book, operation) => {
    if (operation.kind !== 'expire') return decide(book, operation);
    const hold = book.holds.get(operation.callId);
    const outcome = decide(book, operation);
    if (hold?.userId === undefined || hold.month === undefined) return outcome;
    const wallet = book.wallets.get(hold.app, hold.userId, hold.month);
    if (wallet !== undefined) wallet.heldGrant += hold.grantAmount;
    return outcome;
  },

  'a settlement is booked on the day that it comes': (book, operation) => {
    const outcome = decide(book, operation);
    if (operation.kind !== 'settle') return outcome;
    const { app, day } = operation.facts;
    const today = utcDayOf(operation.end.endedAt);
    if (today === day) return outcome;
    const { cost } = operation.end;
    changeDay(book, operation.facts, (row) => {
      row.spent -= cost;
    });
    changeDay(book, { app, day: today }, (row) => {
      row.spent += cost;
    });
    return outcome;
  },

  'what fits exactly is refused': (book, operation) => {
    if (operation.kind !== 'reserve') return decide(book, operation);
    return (
      refusedBy(book, operation, (free) => operation.amount === free) ?? decide(book, operation)
    );
  },

  'one more than fits is admitted': (book, operation) => {
    if (operation.kind !== 'reserve') return decide(book, operation);
    return decideUnder(book, operation, (cap) => cap + 1n);
  },

  'an attempt costs less than its call is booked with': (book, operation) => {
    if (operation.kind !== 'settle' || operation.attempts === undefined) {
      return decide(book, operation);
    }
    const attempts = operation.attempts.map((row) => ({ ...row, cost: smaller(row.cost, 1n) }));
    return decide(book, { ...operation, attempts });
  },

  'a reservation takes more of the wallet than of the budget': (book, operation) => {
    const outcome = decide(book, operation);
    if (operation.kind !== 'reserve' || outcome.kind !== 'reserved') return outcome;
    const hold = book.holds.get(operation.facts.callId);
    const day = book.budgets.get(operation.facts.app, operation.facts.day);
    if (hold === undefined || day === undefined || hold.grantAmount === 0n) return outcome;
    day.held -= 1n;
    hold.budgetAmount -= 1n;
    return outcome;
  },

  'an estimate is not counted': (book, operation) => {
    const outcome = decide(book, operation);
    if (operation.kind === 'settle') {
      changeDay(book, operation.facts, (day) => {
        day.estimated -= operation.end.estimated;
      });
    }
    return outcome;
  },

  'a late settlement leaves the estimate': (book, operation) =>
    operation.kind === 'settle' && book.calls.get(operation.facts.callId)?.basis === 'expired'
      ? { kind: 'settled', isOrphan: false, badOutputs: 0, takenOverBy: undefined }
      : decide(book, operation),

  'an overrun is taken from the wallet as well': (book, operation) => {
    const isOverrun =
      operation.kind === 'settle' && operation.walletCost > heldFor(book, operation);
    const outcome = decide(book, operation);
    if (!isOverrun || operation.facts.userId === undefined) return outcome;
    const topup = book.topups.get(operation.facts.app, operation.facts.userId);
    if (topup !== undefined) book.topups.put({ ...topup, spent: topup.spent + 1n });
    return outcome;
  },

  'top-ups are spent before the grant': (book, operation) => {
    const outcome = decide(book, operation);
    if (operation.kind !== 'reserve' || outcome.kind !== 'reserved') return outcome;
    swapWallets(book, operation);
    return outcome;
  },

  'an extension that comes again is taken again': (book, operation) => {
    if (operation.kind !== 'extend') return decide(book, operation);
    const hold = book.holds.get(operation.callId);
    const extension = (hold?.extensions ?? 0) + 1;
    return decide(book, { ...operation, extension });
  },

  'a running key starts a second call': (book, operation) => {
    if (operation.kind !== 'reserve') return decide(book, operation);
    return decide({ ...book, isAlive: () => false }, operation);
  },

  'a key that was taken over keeps the late answer': (book, operation) => {
    const { kind } = operation;
    const key = kind === 'settle' ? operation.facts.keyHash : undefined;
    const row = kind === 'settle' && key && book.idempotency.get(operation.facts.app, key);
    if (row && kind === 'settle') row.callId = operation.facts.callId;
    return decide(book, operation);
  },

  'a refusal takes the key': (book, operation) => {
    const outcome = decide(book, operation);
    if (operation.kind !== 'reserve' || outcome.kind !== 'refused') return outcome;
    const { facts, idempotency, instanceId } = operation;
    if (idempotency === undefined) return outcome;
    const { app, callId } = facts;
    const running = { ...idempotency, state: 'running', app, callId, instanceId } as const;
    book.idempotency.put({ ...running, badOutputs: 0, walletPaid: 0n });
    return outcome;
  },

  'an unpriced model passes a spent budget': (book, operation) => {
    const isUnpriced = operation.kind === 'reserve' && operation.facts.priceVersion === undefined;
    return isUnpriced ? decideUnder(book, operation, () => undefined) : decide(book, operation);
  },

  'a correction leaves the wallet as it was': (book, operation) => {
    const before = operation.kind === 'correct' && book.calls.get(operation.callId);
    if (!before) return decide(book, operation);
    book.calls.put({ ...before, walletGrant: 0n, walletTopup: 0n });
    return decide(book, operation);
  },

  'the attempts of a call are lost': (book, operation) =>
    operation.kind === 'settle'
      ? decide(book, { ...operation, attempts: undefined })
      : decide(book, operation),

  'attempts count under the model of their call': (book, operation) => {
    if (operation.kind !== 'settle') return decide(book, operation);
    const { usageModel } = operation.facts;
    const attempts = operation.attempts?.map((row) => ({ ...row, usageModel }));
    return decide(book, { ...operation, attempts });
  },

  'a call counts under the model that it was admitted with': (book, operation) =>
    operation.kind === 'settle'
      ? decide(book, { ...operation, answeredBy: undefined })
      : decide(book, operation),

  'a correction leaves its attempts as they were': (book, operation) => {
    const before = operation.kind === 'correct' ? book.attempts.of(operation.callId) : [];
    const outcome = decide(book, operation);
    book.attempts.put(before);
    return outcome;
  },

  'a cap beside the day is not asked': (book, operation) => {
    if (operation.kind !== 'reserve') return decide(book, operation);
    return underModes(book, operation, () => 'shadow');
  },

  'a cap in shadow refuses': (book, operation) =>
    operation.kind === 'reserve'
      ? underModes(book, operation, () => 'enforce')
      : decide(book, operation),

  'a closed budget is not asked': (book, operation) =>
    operation.kind === 'reserve'
      ? decide(book, { ...operation, scopes: operation.scopes.map(opened) })
      : decide(book, operation),

  'a closed wallet pays': (book, operation) =>
    operation.kind === 'reserve'
      ? decide(book, { ...operation, wallet: operation.wallet && opened(operation.wallet) })
      : decide(book, operation),

  'a closed budget refuses what was answered before': (book, operation) => {
    const isClosed = operation.kind === 'reserve' && operation.scopes.some(isClosing);
    return isClosed
      ? decide(book, { ...operation, idempotency: undefined })
      : decide(book, operation);
  },

  'a settlement forgets the caps beside the day': (book, operation) => {
    const hold = operation.kind === 'settle' && book.holds.get(operation.facts.callId);
    if (hold) book.holds.start({ ...hold, scopes: undefined });
    return decide(book, operation);
  },

  'a correction forgets the caps beside the day': (book, operation) => {
    const call = operation.kind === 'correct' && book.calls.get(operation.callId);
    if (!call) return decide(book, operation);
    book.calls.put({ ...call, scopes: undefined });
    return decide(book, operation);
  },

  'a top-up acts twice': (book, operation) => {
    if (operation.kind !== 'top-up') return decide(book, operation);
    const { app, userId, reference } = operation;
    const isKnown = book.entries.get(app, userId, reference) !== undefined;
    const outcome = decide(book, operation);
    const topup = book.topups.get(app, userId);
    if (!isKnown || topup === undefined) return outcome;
    book.topups.put({ ...topup, added: topup.added + operation.amount });
    return outcome;
  },
  ...receiptBugs,
};

function opened<Claim extends Pick<ScopeClaim, 'closedAt'>>(claim: Claim): Claim {
  return { ...claim, closedAt: undefined };
}

function isClosing({ closedAt }: Pick<ScopeClaim, 'closedAt'>): boolean {
  return closedAt !== undefined;
}

/** Changes a day's row, which is created if it does not exist. */
function changeDay(
  book: Book,
  { app, day }: { readonly app: string; readonly day: string },
  change: (row: BudgetDay) => void,
) {
  const amounts = { spent: 0n, held: 0n, estimated: 0n, overrun: 0n };
  const made = { app, day, cap: undefined, admittedCap: undefined, ...amounts };
  const row = book.budgets.get(app, day) ?? made;
  change(row);
  book.budgets.put(row);
}

function heldFor(book: Book, operation: Parameters<Decide>[1]): bigint {
  if (operation.kind !== 'settle') return 0n;
  return holdOf(book, operation)?.budgetAmount ?? 0n;
}

function holdOf(book: Book, operation: Settle) {
  return book.holds.get(operation.facts.callId);
}

/** Decides a reservation under another limit, without any other trace. */
function decideUnder(
  book: Book,
  operation: Reserve,
  other: (cap: bigint) => bigint | undefined,
): Outcome {
  const day = book.budgets.get(operation.facts.app, operation.facts.day);
  const isHeld = book.holds.get(operation.facts.callId) !== undefined;
  if (day?.cap === undefined || isHeld) return decide(book, operation);
  const { cap } = day;
  day.cap = other(cap);
  const outcome = decide(book, operation);
  day.cap = cap;
  if (outcome.kind === 'reserved') day.admittedCap = cap;
  return 'cap' in outcome ? { ...outcome, cap } : outcome;
}

/** A rejection in the core's own words, if `isRefused` is true for the free amount. */
function refusedBy(
  book: Book,
  { facts, amount }: Reserve,
  isRefused: (free: bigint) => boolean,
): Outcome | undefined {
  const day = book.budgets.get(facts.app, facts.day);
  if (day?.cap === undefined) return undefined;
  const { cap, spent, held } = day;
  if (!isRefused(cap - spent - held)) return undefined;
  const remaining = cap > spent + held ? cap - spent - held : 0n;
  const which = { scope: undefined, remaining, refusing: [] };
  return { kind: 'refused', code: 'BUDGET_EXCEEDED', cap, spent, held, needed: amount, ...which };
}

/** Moves the part taken from the grant to the top-ups, as far as they suffice. */
function swapWallets(book: Book, { facts }: Reserve) {
  const hold = book.holds.get(facts.callId);
  if (hold?.userId === undefined || hold.month === undefined) return;
  const wallet = book.wallets.get(hold.app, hold.userId, hold.month);
  const topup = book.topups.get(hold.app, hold.userId);
  if (wallet === undefined || topup === undefined) return;
  const free = topup.added - topup.spent - topup.held;
  const moved = smaller(free, hold.grantAmount);
  wallet.heldGrant -= moved;
  topup.held += moved;
  const { grantAmount, topupAmount } = hold;
  const parts = { grantAmount: grantAmount - moved, topupAmount: topupAmount + moved };
  book.holds.start({ ...hold, ...parts });
}

/** Decides a reservation with other modes of the budgets that it claims. */
function underModes(book: Book, operation: Reserve, other: () => ScopeMode): Outcome {
  const rows = book.scopes.claimed(operation.scopes).rows;
  const modes = rows.map((row) => row.mode);
  for (const row of rows) Object.assign(row, { mode: other() });
  const outcome = decide(book, operation);
  for (const [index, row] of rows.entries()) Object.assign(row, { mode: modes[index] });
  return outcome;
}
