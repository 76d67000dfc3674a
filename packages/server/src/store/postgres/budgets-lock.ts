// A number of our own: batches of the ledger share it, who changes definitions of budgets has it
// alone. All that wait for it are served in turn.

/** Waits for ledger batches, and lets none begin before the transaction's end. */
export const lockBudgets = 'select pg_advisory_xact_lock(7263411056)';

/** Waits for changes of definitions, and blocks them until the transaction's end. */
export const shareBudgets = 'select pg_advisory_xact_lock_shared(7263411056)';
