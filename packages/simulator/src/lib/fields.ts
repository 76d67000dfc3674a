import { invalid } from './platform-error.ts';
import { isRecord } from './wire.ts';

export interface Fields {
  /** In the format of `param`: `messages[0].content`. */
  path(key: string): string;
  names(): readonly string[];
  /** Unchanged; null counts as absent, as on the platform. */
  value(key: string): unknown;
  text(key: string): string | undefined;
  requiredText(key: string): string;
  number(key: string, least: number, most: number): number | undefined;
  integer(key: string, least: number, most: number): number | undefined;
  boolean(key: string): boolean | undefined;
  list(key: string): readonly unknown[] | undefined;
  json(): string;
  fields(key: string): Fields | undefined;
}

/** Rejects anything but an object. `at` is its position in the body. */
export function fieldsOf(value: unknown, at: string): Fields {
  if (!isRecord(value)) throw wrongType(at === '' ? 'body' : at, 'an object', value);
  const record = value;
  const path = (key: string) => (at === '' ? key : `${at}.${key}`);
  return {
    path,
    names: () => Object.keys(record),
    json: () => JSON.stringify(record),
    value: read,
    text: (key) => typed(key, 'a string', isText),
    requiredText(key) {
      const text = typed(key, 'a string', isText);
      if (text === undefined) throw missingField(path(key));
      return text;
    },
    number: (key, least, most) => inRange(key, typed(key, 'a number', isNumber), least, most),
    integer: (key, least, most) => inRange(key, typed(key, 'an integer', isInteger), least, most),
    boolean: (key) => typed(key, 'a boolean', isBoolean),
    list: (key) => typed(key, 'an array', isList),
    fields(key) {
      const nested = read(key);
      return nested === undefined ? undefined : fieldsOf(nested, path(key));
    },
  };

  function read(key: string): unknown {
    return Object.hasOwn(record, key) ? (record[key] ?? undefined) : undefined;
  }
  function typed<T>(key: string, name: string, is: (value: unknown) => value is T): T | undefined {
    const value = read(key);
    if (value === undefined) return undefined;
    if (!is(value)) throw wrongType(path(key), name, value);
    return value;
  }
  function inRange(key: string, number: number | undefined, least: number, most: number) {
    if (number !== undefined && (number < least || number > most)) {
      const range = `at least ${least} and at most ${most}`;
      throw invalid(`Invalid '${path(key)}': expected ${range}, but got ${number}.`, path(key));
    }
    return number;
  }
}

export function checkNames(fields: Fields, at: string, names: readonly string[]): void {
  const unknown = fields.names().find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw invalid(`Unknown '${at}.${unknown}': it can be ${names.join(', ')}.`, `${at}.${unknown}`);
}

export function oneOf<const T extends string>(
  fields: Fields,
  key: string,
  texts: readonly T[],
): T | undefined {
  const value = fields.text(key);
  const known = texts.find((text) => text === value);
  if (value === undefined || known !== undefined) return known;
  const path = fields.path(key);
  throw invalid(`Invalid '${path}': expected ${texts.join(', ')}, but got ${value}.`, path);
}

export function missingField(path: string) {
  return invalid(`Missing required parameter: '${path}'.`, path);
}

export function wrongType(path: string, expected: string, value: unknown) {
  const kind = value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return invalid(`Invalid type for '${path}': expected ${expected}, but got ${kind}.`, path);
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Each surface also accepts `vendor_…`, which has no effect. */
export function isParameter(name: string, parameters: ReadonlySet<string>): boolean {
  return parameters.has(name) || name.startsWith('vendor_');
}
