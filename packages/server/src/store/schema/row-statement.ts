import type { SqlValue } from '../port/port.ts';
import { createBinder } from './describe.ts';
import { omit, type Table, type TableColumn } from './table.ts';

export interface RowStatement<Row> {
  readonly sql: string;
  readonly bind: (row: Row) => readonly SqlValue[];
  readonly width: number;
}

/** Binds the first table's values, then the second's. */
export interface BothStatement<First, Second> {
  readonly sql: string;
  readonly parts: readonly [RowStatement<First>, RowStatement<Second>];
}

export function rowStatement<Row>(
  { columns }: Table<Row>,
  sql: string,
  bound: readonly TableColumn[] = columns,
): RowStatement<Row> {
  return { sql, width: bound.length, bind: createBinder(bound) };
}

/** Columns in their order, for reading rows by index. */
export function selectFrom<Row>({ columns }: Table<Row>, from: string): string {
  return `select ${namesOf(columns)} from ${from}`;
}

export function insertOne<Row>(table: Table<Row>): RowStatement<Row> {
  return rowStatement(table, `insert into ${valuesInto(table)}`);
}

/** `end` is the end of the statement. */
export function insertBut<Row, Left extends keyof Row & string>(
  table: Table<Row>,
  omitted: readonly Left[],
  end = '',
): RowStatement<Omit<Row, Left>> {
  const columns = omit(table, omitted);
  const sql = `insert into ${valuesInto(table, columns)} ${end}`.trimEnd();
  return { sql, width: columns.length, bind: createBinder<Omit<Row, Left>>(columns) };
}

/** `end` is a condition for the change. */
export function upsert<Row>(table: Table<Row>, end = ''): RowStatement<Row> {
  const set = otherColumns(table).map(({ name }) => `${name} = excluded.${name}`);
  return insertOr(table, set, end);
}

export function insertOr<Row>(
  table: Table<Row>,
  set: readonly string[],
  end = '',
): RowStatement<Row> {
  const into = `insert into ${valuesInto(table)}`;
  const sql = `${into} on conflict (${namesOf(table.key)}) do update set ${set.join(', ')}`;
  return rowStatement(table, end === '' ? sql : `${sql} ${end}`);
}

export function updateBut<Row, Kept extends keyof Row & string>(
  table: Table<Row>,
  unchanged: readonly Kept[],
): RowStatement<Omit<Row, Kept>> {
  const changed = omit(table, unchanged).filter((column) => !table.key.includes(column));
  const bound = [...table.key, ...changed];
  const assignments = bound.map(({ name }, index) => `${name} = $${index + 1}`);
  const set = assignments.slice(table.key.length).join(', ');
  const where = assignments.slice(0, table.key.length).join(' and ');
  const sql = `update ${table.name} set ${set} where ${where}`;
  return { sql, width: bound.length, bind: createBinder<Omit<Row, Kept>>(bound) };
}

export function valuesInto<Row>(
  { name, columns: all }: Table<Row>,
  columns: readonly TableColumn[] = all,
): string {
  const values = columns.map((_, index) => `$${index + 1}`).join(', ');
  return `${name} (${namesOf(columns)}) values (${values})`;
}

export function namesOf(columns: readonly TableColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}

export function otherColumns<Row>({ columns, key }: Table<Row>): readonly TableColumn[] {
  return columns.filter((column) => !key.includes(column));
}

/** `(values …)`: contains parameter numbers, never values. */
export function isOnePairOf(columns: string, pairs: number): string {
  const placeholders = Array.from(
    { length: pairs },
    (_, index) => `($${index * 2 + 1}, $${index * 2 + 2})`,
  );
  return `(${columns}) in (values ${placeholders.join(', ')})`;
}
