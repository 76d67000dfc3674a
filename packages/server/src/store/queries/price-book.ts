import type { Query, Statement } from '../port/port.ts';
import { priceBook, type StoredBookEntry } from '../schema/price-table.ts';
import { insertBut } from '../schema/row-statement.ts';

/** Omits models without a price. */
export const selectBook: Query<readonly StoredBookEntry[]> = {
  sql: 'select model, prices from price_book order by model',
  values: [],
  map: (rows) => rows.map(priceBook.read),
};

/** Undefined without a price. */
export interface BookChange {
  readonly model: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Applies only if the line is unchanged; otherwise the transaction aborts. */
export function changeBook(change: BookChange): Statement {
  return { ...changeOf(change), abortIfNoRows: true };
}

/** Belongs to no model. Its presence means that the book has begun. */
export const begun: StoredBookEntry = { model: '', prices: '' };

export function beginBook(first: readonly BookChange[]): readonly Statement[] {
  return [addEntry(begun), ...first.map(changeOf)];
}

function addEntry(entry: StoredBookEntry): Statement {
  return { sql: insertEntry.sql, values: insertEntry.bind(entry) };
}

const insertEntry = insertBut(priceBook, [], 'on conflict (model) do nothing');

function changeOf({ model, before, after }: BookChange): Statement {
  if (before === undefined) return addEntry({ model, prices: after ?? '' });
  if (after === undefined) {
    return {
      sql: 'delete from price_book where model = $1 and prices = $2',
      values: [model, before],
    };
  }
  return {
    sql: 'update price_book set prices = $3 where model = $1 and prices = $2',
    values: [model, before, after],
  };
}
