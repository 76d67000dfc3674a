import { createBinder } from './describe.ts';
import type { SqlValue } from './port.ts';
import { omit, type Table, type TableColumn } from './table.ts';

/** A statement that writes rows of a table, and what it binds of a row, in its order. */
export interface RowStatement<Row> {
  readonly sql: string;
  readonly bind: (row: Row) => readonly SqlValue[];
  /** How many values it binds. */
  readonly width: number;
}

/** A statement that writes rows of two tables: it binds those of the first, then of the second. */
export interface BothStatement<First, Second> {
  readonly sql: string;
  readonly parts: readonly [RowStatement<First>, RowStatement<Second>];
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

/** Adds a row without some of its fields; `end` ends the statement. */
export function insertBut<Row, Left extends keyof Row & string>(
  table: Table<Row>,
  left: readonly Left[],
  end = '',
): RowStatement<Omit<Row, Left>> {
  const columns = omit(table, left);
  const sql = `insert into ${valuesInto(table, columns)} ${end}`.trimEnd();
  return { sql, width: columns.length, bind: createBinder<Omit<Row, Left>>(columns) };
}

/** Adds a row, or changes all of the one that has its key; `end` says when. */
export function upsert<Row>(table: Table<Row>, end = ''): RowStatement<Row> {
  const set = otherColumns(table).map(({ name }) => `${name} = excluded.${name}`);
  return insertOr(table, set, end);
}

/** Adds a row, or sets this of the one that has its key. */
export function insertOr<Row>(
  table: Table<Row>,
  set: readonly string[],
  end = '',
): RowStatement<Row> {
  const into = `insert into ${valuesInto(table)}`;
  const sql = `${into} on conflict (${namesOf(table.key)}) do update set ${set.join(', ')}`;
  return rowStatement(table, end === '' ? sql : `${sql} ${end}`);
}

/** Changes the row that has its key: all fields but some. */
export function updateBut<Row, Kept extends keyof Row & string>(
  table: Table<Row>,
  kept: readonly Kept[],
): RowStatement<Omit<Row, Kept>> {
  const changed = omit(table, kept).filter((column) => !table.key.includes(column));
  const bound = [...table.key, ...changed];
  const places = bound.map(({ name }, index) => `${name} = $${index + 1}`);
  const set = places.slice(table.key.length).join(', ');
  const where = places.slice(0, table.key.length).join(' and ');
  const sql = `update ${table.name} set ${set} where ${where}`;
  return { sql, width: bound.length, bind: createBinder<Omit<Row, Kept>>(bound) };
}

/** What follows `into`: the table, these columns or all of them, and their values. */
export function valuesInto<Row>(
  { name, columns: all }: Table<Row>,
  columns: readonly TableColumn[] = all,
): string {
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
