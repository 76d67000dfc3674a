import {
  type BothStatement,
  namesOf,
  otherColumns,
  type RowStatement,
  rowStatement,
} from '../schema/row-statement.ts';
import { pick, type Table, type TableColumn } from '../schema/table.ts';

// Statements that follow from a table's description. A golden file contains their texts. Rows
// travel as one array per column. They are unnested in a select list, because in `from` the server
// makes a separate store for every column.

export function insert<Row>(table: Table<Row>): RowStatement<Row> {
  return rowStatement(table, insertInto(table));
}

/** In key order, which is the order of locks. */
export function insertInOrder<Row>(table: Table<Row>): RowStatement<Row> {
  const { name, columns, key } = table;
  const order = key.map((column) => `row.${column.name}`).join(', ');
  const rows = `(select ${unnested(columns)}) as row (${namesOf(key)})`;
  const into = `insert into ${name} (${namesOf(columns)})`;
  return rowStatement(table, `${into} select * from ${rows} order by ${order}`);
}

export function addUp<Row>(table: Table<Row>): RowStatement<Row> {
  const set = otherColumns(table)
    .map(({ name }) => `${name} = ${table.name}.${name} + excluded.${name}`)
    .join(', ');
  const onConflict = `on conflict (${namesOf(table.key)}) do update set ${set}`;
  return rowStatement(table, `${insertInto(table)} ${onConflict}`);
}

/** Parameters begin after `$n`. */
export function update<Row>(
  table: Table<Row>,
  fields: readonly (keyof Row & string)[],
  n = 0,
): RowStatement<Row> {
  const { name, key } = table;
  const changed = pick(table.columns, fields);
  const bound = [...key, ...changed];
  const set = changed.map((column) => `${column.name} = row.${column.name}`).join(', ');
  const from = `(select ${unnested(bound, n)}) as row (${namesOf(bound)})`;
  const where = key.map((column) => `${name}.${column.name} = row.${column.name}`).join(' and ');
  return rowStatement(table, `update ${name} set ${set} from ${from} where ${where}`, bound);
}

/** Costs half of one more statement; the rows are already locked. */
export function updateBoth<First, Second>(
  first: RowStatement<First>,
  second: RowStatement<Second>,
): BothStatement<First, Second> {
  return { sql: `with first as (${first.sql}) ${second.sql}`, parts: [first, second] };
}

function insertInto<Row>({ name, columns }: Table<Row>): string {
  return `insert into ${name} (${namesOf(columns)}) select ${unnested(columns)}`;
}

function unnested(columns: readonly TableColumn[], n = 0): string {
  return columns.map(({ type }, index) => `unnest($${n + index + 1}::${type}[])`).join(', ');
}
