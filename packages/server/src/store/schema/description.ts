export interface ColumnTypes {
  text(value: string): string;
  optionalText(value: string | undefined): string | undefined;
  oneOf<Value extends string>(value: Value, known: readonly Value[]): Value;
  /** 64 bits: money. */
  big(value: bigint): bigint;
  optionalBig(value: bigint | undefined): bigint | undefined;
  /** A count, or milliseconds since 1970. */
  int(value: number): number;
  optionalInt(value: number | undefined): number | undefined;
  /** 1 and 0. */
  flag(value: boolean): boolean;
  optionalFlag(value: boolean | undefined): boolean | undefined;
}

/** Between threads: as in columns, plus types without a column. */
export interface PartTypes extends ColumnTypes {
  optional<Value>(
    value: Value | undefined,
    describe: Description<Value, PartTypes>,
  ): Value | undefined;
  list<Value>(value: readonly Value[], describe: Description<Value, PartTypes>): readonly Value[];
  /** Unchanged JSON: no 64-bit integers. */
  json<Value>(value: Value): Value;
}

export type Description<Row, As = ColumnTypes> = (row: Row, as: As) => Row;

export interface Field {
  /** With its group: `tokens.inputTokens`. */
  readonly field: string;
  readonly kind: keyof PartTypes;
  readonly known: readonly string[];
  /** Of `optional`, and of each item of a `list`. */
  readonly parts: readonly Field[];
}

/** In its order. Throws where a field does not get its own value. */
export function fieldsOf<Row>(describe: Description<Row, PartTypes>): readonly Field[] {
  const told: Omit<Field, 'field'>[] = [];
  const note = (kind: Field['kind']) => {
    return <Value>(value: Value, known: readonly string[] = []) => {
      told.push({ kind, known, parts: [] });
      return value;
    };
  };
  const noteGroup = (kind: Field['kind']) => {
    return <Value, Group>(value: Value, describeGroup: Description<Group, PartTypes>) => {
      told.push({ kind, known: [], parts: fieldsOf(describeGroup) });
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
    optional: noteGroup('optional'),
    list: noteGroup('list'),
    json: note('json'),
  });
  const given = pathsIn(row, '');
  return given.map(({ field, path }, index) => {
    const how = told[index];
    if (field !== path || how === undefined || told.length !== given.length) {
      throw new Error(`column ${index + 1} is field ${field}, and is given ${path}`);
    }
    return { field, ...how };
  });
}

const asPath = Symbol('path');

function pathsOf<Row>(path: string): Row;
function pathsOf(path: string): unknown {
  const get = (_: object, name: string | symbol) => {
    if (name === asPath) return path;
    return pathsOf(path === '' ? String(name) : `${path}.${String(name)}`);
  };
  return new Proxy({}, { get });
}

function pathsIn(value: unknown, field: string): readonly { field: string; path: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const path: unknown = Reflect.get(value, asPath);
  if (typeof path === 'string') return [{ field, path }];
  return Object.entries(value).flatMap(([name, entry]) =>
    pathsIn(entry, field === '' ? name : `${field}.${name}`),
  );
}
