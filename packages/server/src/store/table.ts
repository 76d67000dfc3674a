import type { ColumnTypes } from './column-types.ts';
import { columnsOf, type Description, type ToldColumn } from './describe.ts';

/** A column of a table. */
export interface TableColumn extends ToldColumn {
  readonly name: string;
}

/** A table: what its rows are, their columns in their order, and those of the key. */
export interface Table<Row> {
  readonly name: string;
  readonly describe: Description<Row>;
  /** The parts of the description: their values are bound without a row being made of them. */
  readonly parts: readonly ((row: Row, as: ColumnTypes) => unknown)[];
  readonly columns: readonly TableColumn[];
  readonly key: readonly TableColumn[];
}

/** A table of rows that are described so. */
export function table<Row>(
  name: string,
  key: readonly (keyof Row & string)[],
  describe: Description<Row>,
  parts: Table<Row>['parts'] = [describe],
): Table<Row> {
  const columns = columnsOf(describe).map((column) => ({ ...column, name: nameOf(column) }));
  return { name, describe, parts, columns, key: pick(columns, key) };
}

/** Fields whose columns have another name: a word of SQL, or what an instance was called first. */
const otherNames = new Map([
  ['instanceId', 'owner'],
  ['before', 'before_value'],
  ['after', 'after_value'],
]);

function nameOf({ field }: ToldColumn): string {
  const own = field.slice(field.lastIndexOf('.') + 1);
  return otherNames.get(own) ?? own.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns of some fields, in the order of the fields. */
export function pick(
  columns: readonly TableColumn[],
  fields: readonly string[],
): readonly TableColumn[] {
  return fields.flatMap((field) => columns.filter((column) => column.field === field));
}
