import {
  type ColumnTypes,
  PartTaker,
  type PartTypes,
  Reader,
  Taker,
  Unpacking,
} from './column-types.ts';
import type { SqlRow, SqlValue } from './port.ts';

/**
 * What a row is, said once for both directions: each field goes through `as`, which either takes
 * its value from the row, or gives what was read in its place. So reading, binding and packing are
 * plain code for the machine, and a field that is missing, unknown or of another type does not
 * compile.
 */
export type Description<Row, As = ColumnTypes> = (row: Row, as: As) => Row;

/** What is bound for a row's columns, in their order. */
export function bindRow<Row>(
  parts: readonly ((row: Row, as: ColumnTypes) => unknown)[],
  row: Row,
): readonly SqlValue[] {
  const taker = new Taker<SqlValue>(null);
  for (const describe of parts) describe(row, taker);
  return taker.values;
}

/** Reads lists of a row's values, in the order of its columns. */
export function createReader<Row>(
  describe: Description<Row>,
  names: readonly string[],
): (values: readonly unknown[]) => Row {
  const row = exampleOf(describe);
  return (values) => describe(row, new Reader(values, names));
}

/** Reads rows whose values have names. */
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

/** A packer of what is described so. */
export function createPacker<Value>(describe: Description<Value, PartTypes>): Packer<Value> {
  const example = exampleOf(describe);
  return {
    pack(value) {
      const taker = new PartTaker(undefined);
      describe(value, taker);
      return taker.values;
    },
    unpack: (values) => describe(example, new Unpacking(values)),
  };
}

/** A column that a description has told of. */
export interface ToldColumn {
  /** The field, behind the group that it is in: `tokens.inputTokens`. */
  readonly field: string;
  readonly type: 'text' | 'bigint';
}

/** The columns that a description tells of. Throws where a field is not given its own value. */
export function columnsOf<Row>(describe: Description<Row>): readonly ToldColumn[] {
  const listener = new Listener();
  const row = describe(pathsOf<Row>(''), listener);
  const fields = pathsIn(row, '');
  for (const [index, { field, path }] of fields.entries()) {
    if (field !== path || listener.types.length !== fields.length) {
      throw new Error(`column ${index + 1} is field ${field}, and is given ${path}`);
    }
  }
  return fields.map(({ field }, index) => ({ field, type: listener.types[index] ?? 'text' }));
}

/** A row without values whose fields, and theirs, are all there. */
function exampleOf<Row>(describe: Description<Row, PartTypes>): Row {
  return describe(pathsOf<Row>(''), new Listener());
}

const asPath = Symbol('path');

/** A row of which every field knows by which path it was reached. */
function pathsOf<Row>(path: string): Row;
function pathsOf(path: string): unknown {
  const get = (_: object, name: string | symbol) => {
    if (name === asPath) return path;
    return pathsOf(path === '' ? String(name) : `${path}.${String(name)}`);
  };
  return new Proxy({}, { get });
}

/** Each field of an example with the path that it was given. */
function pathsIn(value: unknown, field: string): readonly { field: string; path: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const path: unknown = Reflect.get(value, asPath);
  if (typeof path === 'string') return [{ field, path }];
  return Object.entries(value).flatMap(([name, entry]) =>
    pathsIn(entry, field === '' ? name : `${field}.${name}`),
  );
}

/** Notes the type of each column. */
class Listener implements PartTypes {
  readonly types: ToldColumn['type'][] = [];
  text = (value: string) => this.#note('text', value);
  optionalText = (value: string | undefined) => this.#note('text', value);
  oneOf = <Value extends string>(value: Value) => this.#note('text', value);
  big = (value: bigint) => this.#note('bigint', value);
  optionalBig = (value: bigint | undefined) => this.#note('bigint', value);
  int = (value: number) => this.#note('bigint', value);
  optionalInt = (value: number | undefined) => this.#note('bigint', value);
  flag = (value: boolean) => this.#note('bigint', value);
  whatever = <Value>(value: Value) => this.#note('text', value);

  #note<Value>(type: ToldColumn['type'], value: Value): Value {
    this.types.push(type);
    return value;
  }
}
