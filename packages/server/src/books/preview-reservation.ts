import { createBook } from './book.ts';
import type { ScopeClaim } from './claims.ts';
import type { Reserve, ReserveOutcome } from './operations.ts';
import { reserve } from './reserve.ts';
import type { BudgetDay, WalletMonth, WalletTopup } from './rows.ts';
import { type BudgetScope, scopeKeyOf } from './scope.ts';

export interface MoneyRows {
  readonly budget: BudgetDay;
  readonly scopes: readonly BudgetScope[];
  /** Undefined for an app without credits. */
  readonly wallet: { readonly month: WalletMonth; readonly topup: WalletTopup } | undefined;
}

export function previewReservation(
  { budget, scopes, wallet }: MoneyRows,
  operation: Reserve,
): ReserveOutcome {
  const book = createBook({
    budgets: [{ ...budget }],
    wallets: wallet === undefined ? [] : [{ ...wallet.month }],
    topups: wallet === undefined ? [] : [{ ...wallet.topup }],
    scopes: operation.scopes.map((claim) => ({ ...newRow(claim), ...rowOf(scopes, claim) })),
    budgetsRevision: operation.budgetsRevision,
    ...{
      members: [],
      holds: [],
      calls: [],
      attempts: [],
      idempotency: [],
      entries: [],
      unclaimed: [],
    },
    liveInstances: new Set(),
  });
  return reserve(book, { ...operation, idempotency: undefined });
}

function rowOf(scopes: readonly BudgetScope[], claim: ScopeClaim): BudgetScope | undefined {
  return scopes.find((row) => scopeKeyOf(row) === scopeKeyOf(claim));
}

function newRow({ scope, period, cap, mode }: ScopeClaim): BudgetScope {
  return {
    ...{ scope, period, cap, mode, admittedCap: undefined, brought: 0n, pruned: 0n },
    ...{ spent: 0n, held: 0n, estimated: 0n, overrun: 0n },
    ...{ wouldRefuse: 0n, wouldRefuseAmount: 0n },
  };
}
