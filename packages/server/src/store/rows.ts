import { createNamedReader } from './describe.ts';
import type { SqlRow } from './port.ts';
import * as service from './service-tables.ts';
import type { Table } from './table.ts';
import * as tables from './tables.ts';

function named<Row>({ describe, columns }: Table<Row>): (row: SqlRow) => Row {
  return createNamedReader(
    describe,
    columns.map(({ name }) => name),
  );
}

/** Reads a row of `budget_day`. */
export const readBudgetDay = named(tables.budgetDays);

/** Reads a row of `wallet_month`. */
export const readWalletMonth = named(tables.walletMonths);

/** Reads a row of `wallet_topup`. */
export const readWalletTopup = named(tables.walletTopups);

/** Reads a row of `wallet_entry`. */
export const readWalletEntry = named(tables.walletEntries);

/** Reads a row of `hold`. */
export const readHold = named(tables.holds);

/** Reads a row of `call`. */
export const readCall = named(tables.calls);

/** Reads a row of `attempt`. */
export const readAttempt = named(tables.attempts);

/** Reads a row of `usage_day`. */
export const readUsageDay = named(tables.usageDays);

/** Reads a row of `idempotency`. */
export const readIdempotency = named(tables.idempotencyKeys);

/** Reads a row of `result`. */
export const readResult = named(tables.results);

/** Reads a row of `answer`. */
export const readAnswer = named(tables.answers);

/** Reads a row of `app`. */
export const readApp = named(service.apps);
