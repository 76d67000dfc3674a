import { createBinder } from './describe.ts';
import type { SqlValue } from './port.ts';
import type { Table, TableColumn } from './table.ts';

/** A statement that writes rows of a table, and what it binds of a row, in its order. */
export interface RowStatement<Row> {
  readonly sql: string;
  readonly bind: (row: Row) => readonly SqlValue[];
  /** How many values it binds. */
  readonly width: number;
}

/** A statement that binds these columns, or all of them in their order. */
export function rowStatement<Row>(
  { columns }: Table<Row>,
  sql: string,
  bound: readonly TableColumn[] = columns,
): RowStatement<Row> {
  return { sql, width: bound.length, bind: createBinder(bound) };
}

/** Selects all columns in their order, so that rows may be read by place. */
export function selectFrom<Row>({ columns }: Table<Row>, from: string): string {
  return `select ${namesOf(columns)} from ${from}`;
}

/** Adds a row, on either database. */
export function insertOne<Row>(table: Table<Row>): RowStatement<Row> {
  return rowStatement(table, `insert into ${valuesInto(table)}`);
}

/** What follows `into`: the table, its columns, and their values. */
export function valuesInto<Row>({ name, columns }: Table<Row>): string {
  const values = columns.map((_, index) => `$${index + 1}`).join(', ');
  return `${name} (${namesOf(columns)}) values (${values})`;
}

/** The names of columns, as a list of SQL. */
export function namesOf(columns: readonly TableColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/** The columns that are not of the table's key. */
export function otherColumns<Row>({ columns, key }: Table<Row>): readonly TableColumn[] {
  return columns.filter((column) => !key.includes(column));
}

/** `(values …)` for so many pairs: numbers of parameters are written into it, and no value. */
export function isOnePairOf(columns: string, pairs: number): string {
  const places = Array.from(
    { length: pairs },
    (_, index) => `($${index * 2 + 1}, $${index * 2 + 2})`,
  );
  return `(${columns}) in (values ${places.join(', ')})`;
}
