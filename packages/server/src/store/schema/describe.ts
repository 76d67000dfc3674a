import type { SqlRow, SqlValue } from '../port/port.ts';
import * as columns from './columns.ts';
import { type Description, type Field, fieldsOf, type PartTypes } from './description.ts';

// A description is compiled to code once, at startup. Reading or writing a row then costs as much
// as code written by hand, and every call does it about ten times. The code contains field names,
// and no values.

/** Returns the fields' values in the database's types. */
export function createBinder<Row>(fields: readonly Field[]): (row: Row) => readonly SqlValue[] {
  return compiled({}, `(row) => [${fields.map(bound).join(', ')}]`);
}

/** Reads lists of a row's values. `names`: the columns, in order. */
export function createReader<Row>(
  describe: Description<Row>,
  names: readonly string[],
): (values: readonly unknown[]) => Row {
  const fields = fieldsOf(describe);
  const known = fields.map((field) => field.known);
  const code = literalOf(fields, ({ kind }, at) =>
    kind === 'oneOf'
      ? `readers.oneOf(values[${at}], known[${at}], names[${at}])`
      : `readers.${kind}(values[${at}], names[${at}])`,
  );
  return compiled({ readers, known, names }, `(values) => (${code})`);
}

export function createNamedReader<Row>(
  describe: Description<Row>,
  names: readonly string[],
): (row: SqlRow) => Row {
  const read = createReader(describe, names);
  return (row) => read(names.map((name) => row[name]));
}

/** Converts objects to lists of their values, and back. */
export interface Packer<Value> {
  pack(value: Value): readonly unknown[];
  unpack(values: readonly unknown[]): Value;
}

/** Both ends must be in one process. */
export function createPacker<Value>(describe: Description<Value, PartTypes>): Packer<Value> {
  const fields = fieldsOf(describe);
  const values = fields.map(({ field }) => pathTo(field)).join(', ');
  const value = literalOf(fields, (_, at) => `values[${at}]`);
  return {
    pack: compiled({}, `(row) => [${values}]`),
    unpack: compiled({}, `(values) => (${value})`),
  };
}

const readers = {
  text: columns.asText,
  optionalText: columns.asOptionalText,
  oneOf: columns.asOneOf,
  big: columns.asBig,
  optionalBig: columns.asOptionalBig,
  int: columns.asInt,
  optionalInt: columns.asOptionalInt,
  flag: columns.asFlag,
  optionalFlag: columns.asOptionalFlag,
};

function bound({ field, kind }: Field): string {
  const value = pathTo(field);
  if (kind === 'flag') return `${value} ? 1 : 0`;
  if (kind === 'optionalFlag') return `${value} === undefined ? null : ${value} ? 1 : 0`;
  return kind.startsWith('optional') ? `${value} ?? null` : value;
}

function literalOf(fields: readonly Field[], codeOf: (field: Field, at: number) => string): string {
  const tree: Tree = new Map();
  for (const [at, field] of fields.entries()) {
    const groups = field.field.split('.');
    const name = groups.pop() ?? '';
    let group = tree;
    for (const next of groups) group = groupIn(group, next);
    group.set(name, codeOf(field, at));
  }
  return written(tree);
}

type Tree = Map<string, string | Tree>;

function groupIn(tree: Tree, name: string): Tree {
  const known = tree.get(name);
  if (known instanceof Map) return known;
  const group: Tree = new Map();
  tree.set(name, group);
  return group;
}

function written(tree: Tree): string {
  const entries = [...tree].map(([name, value]) => {
    return `${nameIn(name)}: ${typeof value === 'string' ? value : written(value)}`;
  });
  return `{ ${entries.join(', ')} }`;
}

function pathTo(field: string): string {
  return ['row', ...field.split('.').map(nameIn)].join('.');
}

/** A field name as code. Throws for an invalid name. */
function nameIn(name: string): string {
  if (!/^[a-z]\w*$/i.test(name)) throw new Error(`${name} is not a field name`);
  return name;
}

/** A function compiled from code; it can use only its arguments and `given`. */
function compiled<Made>(given: Readonly<Record<string, unknown>>, code: string): Made;
function compiled(given: Readonly<Record<string, unknown>>, code: string): unknown {
  const make = new Function(...Object.keys(given), `'use strict'; return ${code};`);
  return make(...Object.values(given));
}
