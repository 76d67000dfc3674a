import { createNamedReader } from './describe.ts';
import { type Description, type Field, fieldsOf } from './description.ts';
import type { SqlRow } from './port.ts';

/** A column of a table. */
export interface TableColumn extends Field {
  readonly name: string;
  readonly type: 'text' | 'bigint';
}

/** A table: what its rows are, their columns in their order, and those of the key. */
export interface Table<Row> {
  readonly name: string;
  readonly describe: Description<Row>;
  readonly columns: readonly TableColumn[];
  readonly key: readonly TableColumn[];
  /** Reads a row whose values have the names of its columns. */
  readonly read: (row: SqlRow) => Row;
}

/** A table of rows that are described so. */
export function table<Row>(
  name: string,
  key: readonly (keyof Row & string)[],
  describe: Description<Row>,
): Table<Row> {
  const columns = fieldsOf(describe).map((field) => {
    return { ...field, name: nameOf(field), type: typeOf(field) };
  });
  const read = createNamedReader(
    describe,
    columns.map((column) => column.name),
  );
  return { name, describe, columns, key: pick(columns, key), read };
}

/** Fields whose columns have another name: a word of SQL, or what they were called first. */
const otherNames = new Map([
  ['instanceId', 'owner'],
  ['holder', 'owner'],
  ['dailyBudgetPicoUsd', 'daily_budget'],
  ['before', 'before_value'],
  ['after', 'after_value'],
]);

function typeOf({ kind }: Field): TableColumn['type'] {
  return /text|oneOf/i.test(kind) ? 'text' : 'bigint';
}

function nameOf({ field }: Field): string {
  const own = field.slice(field.lastIndexOf('.') + 1);
  return otherNames.get(own) ?? own.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The columns of all fields but some. */
export function omit<Row>(
  { columns }: Table<Row>,
  fields: readonly (keyof Row & string)[],
): readonly TableColumn[] {
  const names: readonly string[] = fields;
  return columns.filter(({ field }) => !names.includes(field));
}

/** The columns of some fields, in the order of the fields. */
export function pick(
  columns: readonly TableColumn[],
  fields: readonly string[],
): readonly TableColumn[] {
  return fields.flatMap((field) => columns.filter((column) => column.field === field));
}
