import {
  insertOr,
  otherColumns,
  type RowStatement,
  rowStatement,
  valuesInto,
} from '../schema/row-statement.ts';
import { pick, type Table } from '../schema/table.ts';

// Statements that follow from a table's description. Their texts are in a golden file.

/** Adds a row, or puts it in the place of another with its key. */
export function replace<Row>(table: Table<Row>): RowStatement<Row> {
  return rowStatement(table, `insert or replace into ${valuesInto(table)}`);
}

/** Adds a row, or its figures to the one that has its key. */
export function addUp<Row>(table: Table<Row>): RowStatement<Row> {
  const set = otherColumns(table).map(({ name }) => `${name} = ${name} + excluded.${name}`);
  return insertOr(table, set);
}

/** Changes these fields of the row that has its key. */
export function update<Row>(
  table: Table<Row>,
  fields: readonly (keyof Row & string)[],
): RowStatement<Row> {
  const bound = [...pick(table.columns, fields), ...table.key];
  const places = bound.map(({ name }, index) => `${name} = $${index + 1}`);
  const set = places.slice(0, fields.length).join(', ');
  const where = places.slice(fields.length).join(' and ');
  return rowStatement(table, `update ${table.name} set ${set} where ${where}`, bound);
}
