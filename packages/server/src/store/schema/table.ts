import type { SqlRow } from '../port/port.ts';
import { createNamedReader } from './describe.ts';
import { type Description, type Field, fieldsOf } from './description.ts';

export interface TableColumn extends Field {
  readonly name: string;
  readonly type: 'text' | 'bigint';
}

export interface Table<Row> {
  readonly name: string;
  readonly describe: Description<Row>;
  readonly columns: readonly TableColumn[];
  readonly key: readonly TableColumn[];
  readonly read: (row: SqlRow) => Row;
}

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

export function omit<Row>(
  { columns }: Table<Row>,
  fields: readonly (keyof Row & string)[],
): readonly TableColumn[] {
  const names: readonly string[] = fields;
  return columns.filter(({ field }) => !names.includes(field));
}

export function pick(
  columns: readonly TableColumn[],
  fields: readonly string[],
): readonly TableColumn[] {
  return fields.flatMap((field) => columns.filter((column) => column.field === field));
}
