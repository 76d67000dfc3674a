import {
  insertOr,
  otherColumns,
  type RowStatement,
  rowStatement,
  valuesInto,
} from '../schema/row-statement.ts';
import { pick, type Table } from '../schema/table.ts';

// Statements that follow from a table's description. A golden file contains their texts.

export function replace<Row>(table: Table<Row>): RowStatement<Row> {
  return rowStatement(table, `insert or replace into ${valuesInto(table)}`);
}

export function addUp<Row>(table: Table<Row>): RowStatement<Row> {
  const set = otherColumns(table).map(({ name }) => `${name} = ${name} + excluded.${name}`);
  return insertOr(table, set);
}

export function update<Row>(
  table: Table<Row>,
  fields: readonly (keyof Row & string)[],
): RowStatement<Row> {
  const bound = [...pick(table.columns, fields), ...table.key];
  const assignments = bound.map(({ name }, index) => `${name} = $${index + 1}`);
  const set = assignments.slice(0, fields.length).join(', ');
  const where = assignments.slice(fields.length).join(' and ');
  return rowStatement(table, `update ${table.name} set ${set} where ${where}`, bound);
}
