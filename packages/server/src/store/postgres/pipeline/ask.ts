import type { SqlValue } from '../../port.ts';
import type { RowStatement } from '../../row-statement.ts';
import { columnText } from './array-text.ts';
import type { Answer, Pipeline } from './pipeline.ts';

/** A key's columns in the order of its statement: how each is read from a row. */
export type Columns<Row> = readonly ((row: Row) => SqlValue)[];

const nothing: Answer = { rows: [], tag: '' };

/** Asks a statement for these rows, one array a column; nothing is asked where there are none. */
export function ask<Row>(
  pipeline: Pipeline,
  statement: string,
  columns: Columns<Row>,
  rows: readonly Row[],
): Answer {
  if (rows.length === 0) return nothing;
  return pipeline.query(
    statement,
    columns.map((column) => columnText(rows, column)),
  );
}

/** Asks to write these rows. */
export function askRows<Row>(
  pipeline: Pipeline,
  statement: RowStatement<Row>,
  rows: readonly Row[],
) {
  if (rows.length === 0) return;
  const { sql, bind, width } = statement;
  const bound = rows.map(bind);
  const columns = Array.from({ length: width }, (_, index) =>
    columnText(bound, (values) => values[index] ?? null),
  );
  pipeline.query(sql, columns);
}
