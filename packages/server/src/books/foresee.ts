import { createBook } from './book.ts';
import type { Reserve, ReserveOutcome } from './operations.ts';
import { reserve } from './reserve.ts';
import type { BudgetDay, WalletMonth, WalletTopup } from './rows.ts';

/** The rows that decide about a call without an idempotency key. */
export interface MoneyRows {
  readonly budget: BudgetDay;
  /** Undefined where the app meters no credits. */
  readonly wallet: { readonly month: WalletMonth; readonly topup: WalletTopup } | undefined;
}

/** What a reservation would come to on these rows, which stay as they are. */
export function foresee({ budget, wallet }: MoneyRows, operation: Reserve): ReserveOutcome {
  const book = createBook({
    budgets: [{ ...budget }],
    wallets: wallet === undefined ? [] : [{ ...wallet.month }],
    topups: wallet === undefined ? [] : [{ ...wallet.topup }],
    ...{ holds: [], calls: [], attempts: [], idempotency: [], entries: [] },
    liveInstances: new Set(),
  });
  return reserve(book, { ...operation, idempotency: undefined });
}
