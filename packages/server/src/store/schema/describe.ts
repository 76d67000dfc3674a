import type { SqlRow, SqlValue } from '../port/port.ts';
import * as columns from './columns.ts';
import { type Description, type Field, fieldsOf, type PartTypes } from './description.ts';

// A description is turned into code once, when the process starts: a list of values is then taken
// from a row, or a row made of one, at the cost of the same lines written by hand. Every call does
// this some ten times. What is written into the code are names of fields, and no value.

/** Takes the values of some fields, as a database takes them. */
export function createBinder<Row>(fields: readonly Field[]): (row: Row) => readonly SqlValue[] {
  return compiled({}, `(row) => [${fields.map(bound).join(', ')}]`);
}

/** Reads lists of a row's values, in the order of its columns, which have these names. */
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

/** Takes objects apart into lists of their values, and puts them together again. */
export interface Packer<Value> {
  pack(value: Value): readonly unknown[];
  unpack(values: readonly unknown[]): Value;
}

/** A packer of what is described so: both ends are of one process. */
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

/** The literal of an object with these fields, in their groups. */
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

/** A name as it stands in code. Throws where it is none. */
function nameIn(name: string): string {
  if (!/^[a-z]\w*$/i.test(name)) throw new Error(`${name} is not a field name`);
  return name;
}

/** A function made of code; what it may use besides its arguments is given. */
function compiled<Made>(given: Readonly<Record<string, unknown>>, code: string): Made;
function compiled(given: Readonly<Record<string, unknown>>, code: string): unknown {
  const make = new Function(...Object.keys(given), `'use strict'; return ${code};`);
  return make(...Object.values(given));
}
