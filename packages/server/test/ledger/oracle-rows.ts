import type { Operation } from '../../src/books/operations.ts';
import { isWallet, type OracleBooks } from './oracle-books.ts';
import { withScopes } from './oracle-budgets.ts';

/** The rows that an operation reads. They exist from the first such operation on. */
export function withRowsOf(before: OracleBooks, operation: Operation): OracleBooks {
  if (operation.kind === 'top-up') return withTopup(before, operation.app, operation.userId);
  const facts = 'facts' in operation ? operation.facts : operation;
  const { app, day } = facts;
  const cap = before.caps.find((row) => row.app === app)?.cap;
  const isKnownDay = before.days.some((row) => row.app === app && row.day === day);
  let books = isKnownDay ? before : { ...before, days: [...before.days, { app, day, cap }] };
  if (operation.kind === 'reserve') books = withScopes(books, operation);
  if (operation.kind === 'extend' || !('userId' in facts)) return books;
  const { userId, month } = facts;
  if (userId === undefined || month === undefined) return books;
  books = withTopup(books, app, userId);
  if (operation.kind !== 'reserve' || operation.wallet === undefined) return books;
  const wallet = { app, userId, month, ...operation.wallet };
  const isKnownMonth = books.months.some((row) => isWallet(row, wallet));
  return isKnownMonth ? books : { ...books, months: [...books.months, wallet] };
}

function withTopup(books: OracleBooks, app: string, userId: string): OracleBooks {
  const isKnown = books.savers.some((row) => row.app === app && row.userId === userId);
  return isKnown ? books : { ...books, savers: [...books.savers, { app, userId }] };
}
