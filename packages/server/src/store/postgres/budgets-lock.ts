// A number of our own: batches of the ledger share it, who changes definitions of budgets has it
// alone. All that wait for it are served in turn.

/** Waits until no batch of the ledger runs, and lets none begin before the transaction's end. */
export const lockBudgets = 'select pg_advisory_xact_lock(7263411056)';

/** Waits while definitions are changed, and keeps them as they are until the transaction's end. */
export const shareBudgets = 'select pg_advisory_xact_lock_shared(7263411056)';
