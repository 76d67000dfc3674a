import { asBig, asInt, asOneOf, asOptionalBig, asOptionalText, asText } from './columns.ts';
import type { SqlRow, SqlValue } from './port.ts';

/**
 * What a row is, said once for both directions: each field goes through `as`, which either takes
 * its value from the row, or gives what was read in its place. So reading, binding and packing are
 * plain code for the machine, and a field that is missing, unknown or of another type does not
 * compile.
 */
export type Description<Row, As = ColumnTypes> = (row: Row, as: As) => Row;

/** How a field is kept in its column. */
export interface ColumnTypes {
  text(value: string): string;
  optionalText(value: string | undefined): string | undefined;
  /** One of these texts. */
  oneOf<Value extends string>(value: Value, known: readonly Value[]): Value;
  /** An integer of 64 bits: money. */
  big(value: bigint): bigint;
  optionalBig(value: bigint | undefined): bigint | undefined;
  /** An integer as a number: a count, or milliseconds since 1970. */
  int(value: number): number;
}

/** How a field crosses from one thread to another: as in its column, or whatever it is. */
export interface PartTypes extends ColumnTypes {
  whatever<Value>(value: Value): Value;
}

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
  whatever = <Value>(value: Value) => this.#note('text', value);

  #note<Value>(type: ToldColumn['type'], value: Value): Value {
    this.types.push(type);
    return value;
  }
}

// A list that grows by `push` has no holes, unlike one that `map` makes: it is passed on twice as
// fast.

/** Takes each value; `nothing` stands for one that is not there. */
class Taker<Value> implements ColumnTypes {
  readonly values: (Value | SqlValue)[] = [];
  readonly #nothing: Value;
  constructor(nothing: Value) {
    this.#nothing = nothing;
  }
  text(value: string) {
    this.values.push(value);
    return value;
  }
  optionalText(value: string | undefined) {
    this.values.push(value ?? this.#nothing);
    return value;
  }
  oneOf<Text extends string>(value: Text) {
    this.values.push(value);
    return value;
  }
  big(value: bigint) {
    this.values.push(value);
    return value;
  }
  optionalBig(value: bigint | undefined) {
    this.values.push(value ?? this.#nothing);
    return value;
  }
  int(value: number) {
    this.values.push(value);
    return value;
  }
}

/** Gives what a database has answered for each column. */
class Reader implements ColumnTypes {
  readonly #values: readonly unknown[];
  readonly #names: readonly string[];
  #next = 0;
  constructor(values: readonly unknown[], names: readonly string[]) {
    this.#values = values;
    this.#names = names;
  }
  text() {
    return asText(this.#values[this.#next], this.#name());
  }
  optionalText() {
    return asOptionalText(this.#values[this.#next], this.#name());
  }
  oneOf<Value extends string>(_: Value, known: readonly Value[]) {
    return asOneOf(this.#values[this.#next], known, this.#name());
  }
  big() {
    return asBig(this.#values[this.#next], this.#name());
  }
  optionalBig() {
    return asOptionalBig(this.#values[this.#next], this.#name());
  }
  int() {
    return asInt(this.#values[this.#next], this.#name());
  }

  /** The name of the next column, which is then the one before. */
  #name() {
    return this.#names[this.#next++] ?? '';
  }
}

/** Takes each value as it is. */
class PartTaker extends Taker<unknown> implements PartTypes {
  whatever<Value>(value: Value) {
    this.values.push(value);
    return value;
  }
}

/** Gives each value as it was taken: both ends are of one process, and of one description. */
class Unpacking implements PartTypes {
  readonly #values: readonly unknown[];
  #next = 0;
  constructor(values: readonly unknown[]) {
    this.#values = values;
  }
  text(): string {
    return this.whatever();
  }
  optionalText(): string | undefined {
    return this.whatever();
  }
  oneOf<Value extends string>(): Value {
    return this.whatever();
  }
  big(): bigint {
    return this.whatever();
  }
  optionalBig(): bigint | undefined {
    return this.whatever();
  }
  int(): number {
    return this.whatever();
  }
  whatever<Value>(): Value;
  whatever(): unknown {
    return this.#values[this.#next++];
  }
}
