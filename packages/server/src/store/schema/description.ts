/** The type of a field in its column. */
export interface ColumnTypes {
  text(value: string): string;
  optionalText(value: string | undefined): string | undefined;
  oneOf<Value extends string>(value: Value, known: readonly Value[]): Value;
  /** A 64-bit integer: money. */
  big(value: bigint): bigint;
  optionalBig(value: bigint | undefined): bigint | undefined;
  /** An integer as a number: a count, or milliseconds since 1970. */
  int(value: number): number;
  optionalInt(value: number | undefined): number | undefined;
  /** 1 for true, 0 for false. */
  flag(value: boolean): boolean;
  optionalFlag(value: boolean | undefined): boolean | undefined;
}

/** The type of a field between threads: as in its column, or unchanged. */
export interface PartTypes extends ColumnTypes {
  value<Value>(value: Value): Value;
}

/** Describes a row: each of its fields passes through `as`, and gets its own value. */
export type Description<Row, As = ColumnTypes> = (row: Row, as: As) => Row;

export interface Field {
  /** Includes its group: `tokens.inputTokens`. */
  readonly field: string;
  readonly kind: keyof PartTypes;
  /** The texts of `oneOf`. */
  readonly known: readonly string[];
}

/** The fields of a description, in its order. Throws if a field does not get its own value. */
export function fieldsOf<Row>(describe: Description<Row, PartTypes>): readonly Field[] {
  const described: Omit<Field, 'field'>[] = [];
  const note = (kind: Field['kind']) => {
    return <Value>(value: Value, known: readonly string[] = []) => {
      described.push({ kind, known });
      return value;
    };
  };
  const row = describe(pathsOf<Row>(''), {
    text: note('text'),
    optionalText: note('optionalText'),
    oneOf: note('oneOf'),
    big: note('big'),
    optionalBig: note('optionalBig'),
    int: note('int'),
    optionalInt: note('optionalInt'),
    flag: note('flag'),
    optionalFlag: note('optionalFlag'),
    value: note('value'),
  });
  const given = pathsIn(row, '');
  return given.map(({ field, path }, index) => {
    const how = described[index];
    if (field !== path || how === undefined || described.length !== given.length) {
      throw new Error(`column ${index + 1} is field ${field}, but gets ${path}`);
    }
    return { field, ...how };
  });
}

const asPath = Symbol('path');

/** A row whose fields contain their own paths. */
function pathsOf<Row>(path: string): Row;
function pathsOf(path: string): unknown {
  const get = (_: object, name: string | symbol) => {
    if (name === asPath) return path;
    return pathsOf(path === '' ? String(name) : `${path}.${String(name)}`);
  };
  return new Proxy({}, { get });
}

/** Each field of an example with the path that it contains. */
function pathsIn(value: unknown, field: string): readonly { field: string; path: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const path: unknown = Reflect.get(value, asPath);
  if (typeof path === 'string') return [{ field, path }];
  return Object.entries(value).flatMap(([name, entry]) =>
    pathsIn(entry, field === '' ? name : `${field}.${name}`),
  );
}
