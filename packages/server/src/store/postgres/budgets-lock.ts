// An arbitrary number. Ledger batches share the lock, and changes of budget definitions hold it
// exclusively. All waiting transactions are served in turn.

/** Waits for ledger batches, and blocks new ones until the transaction's end. */
export const lockBudgets = 'select pg_advisory_xact_lock(7263411056)';

/** Waits for changes of definitions, and blocks them until the transaction's end. */
export const shareBudgets = 'select pg_advisory_xact_lock_shared(7263411056)';
