import { unknownName } from '../lib/sentences.ts';
import {
  type Bounds,
  type Field,
  fieldsOf,
  isBlank,
  type Read,
  readList,
  report,
} from './field.ts';
import { omitUndefined } from './omit-undefined.ts';
import { type Reader, reader, type Schema } from './reader.ts';
import { listedMax, unique } from './scalars.ts';
import { brokenTree, keyPath } from './tree.ts';

/** Source of both the file's check and its JSON Schema. */
export interface Key<T> {
  readonly about: string;
  readonly read: Reader<T>;
  readonly isRequired?: boolean;
  /** An empty value counts as absent, because all its lines may be commented out. */
  readonly mayBeBlank?: boolean;
}

/** In the order of reading. */
export type Keys<T> = { readonly [Name in keyof T]: Key<T[Name]> };

export type ValuesOf<K> = {
  readonly [Name in keyof K]: K[Name] extends Key<infer Value> ? Value : never;
};

export interface Section<T> {
  field(name: keyof T & string): Field | undefined;
  read<Name extends keyof T & string>(name: Name): T[Name] | undefined;
  /** For a reader that needs more than the key, such as the names of another section. */
  readWith<V>(name: keyof T & string, read: Read<V>): V | undefined;
}

export function key<T>(about: string, read: Reader<T>): Key<T> {
  return { about, read };
}

export function required<T>(about: string, read: Reader<T>): Key<T> {
  return { about, read, isRequired: true };
}

export function blankable<T>(about: string, read: Reader<T>): Key<T> {
  return { about, read, mayBeBlank: true };
}

export function namesOf<T>(keys: Keys<T>): readonly (keyof T & string)[];
export function namesOf(keys: object): readonly string[] {
  return Object.keys(keys);
}

export function openSection<T>(field: Field, keys: Keys<T>): Section<T> {
  const names: readonly string[] = namesOf(keys);
  const entries = fieldsOf(field);
  const fields = entries && new Map(entries);
  for (const [name, wrong] of entries ?? []) {
    if (names.includes(name)) continue;
    // If a colon is missing, the text after the first word might be a secret.
    const [word = ''] = name.split(' ');
    const misspelled = { ...wrong, path: keyPath(field.path, word) };
    const hasNoColon = word !== name && names.includes(word);
    report(
      misspelled,
      hasNoColon ? `has no colon; use ${word}: …` : unknownName('key', word, names, listedMax),
    );
    if (hasNoColon) fields?.set(word, { ...misspelled, tree: brokenTree });
  }
  return {
    field: (name) => fields?.get(name),
    read: (name) => readWith(name, keys[name].read),
    readWith,
  };

  function readWith<V>(name: keyof T & string, read: Read<V>): V | undefined {
    const entry = fields?.get(name);
    if (entry !== undefined) {
      return keys[name].mayBeBlank === true && isBlank(entry) ? undefined : read(entry);
    }
    // The field is not a section, which is already reported: its keys do not count as missing.
    if (fields === undefined || keys[name].isRequired !== true) return undefined;
    return report({ ...field, path: keyPath(field.path, name) }, 'is required');
  }
}

/** Wrong keys are absent, too. */
export function readKeys<T>(field: Field, keys: Keys<T>): Partial<T>;
export function readKeys(field: Field, keys: Keys<Record<string, unknown>>): object {
  const section = openSection(field, keys);
  return omitUndefined(
    Object.fromEntries(Object.keys(keys).map((name) => [name, section.read(name)])),
  );
}

export function section<T, Defaults extends Partial<T>>(
  keys: Keys<T>,
  defaults: Defaults,
): Reader<Defaults & Partial<T>> {
  return reader(sectionSchema(keys, defaults), (field) => ({
    ...defaults,
    ...readKeys(field, keys),
  }));
}

export function uniqueList<T extends string>(
  item: Reader<T>,
  bounds: Bounds = {},
): Reader<readonly T[]> {
  const schema = { type: 'array', items: item.schema, uniqueItems: true };
  return reader({ ...schema, ...boundsSchema('Items', bounds) }, (field) =>
    readList(field, unique(item), bounds),
  );
}

export function boundsSchema(kind: 'Items' | 'Properties', { max, empty }: Bounds): Schema {
  const min = empty === undefined ? undefined : 1;
  return omitUndefined({ [`min${kind}`]: min, [`max${kind}`]: max });
}

interface MapRules extends Bounds {
  readonly names?: RegExp;
  /** Follows "must be" if a name does not match. */
  readonly rule?: string;
}

/** A section whose keys are names. */
export function mapOf<T>(value: Reader<T>, rules: MapRules = {}): Reader<ReadonlyMap<string, T>> {
  const { names, rule = '' } = rules;
  const schema = {
    ...{ type: 'object', ...boundsSchema('Properties', rules) },
    ...(names !== undefined && { propertyNames: { pattern: names.source } }),
    additionalProperties: value.schema,
  };
  return reader(schema, (field) => {
    const fields = fieldsOf(field, rules);
    const entries = [...(fields ?? [])].flatMap(([name, each]) => {
      if (names?.test(name) === false) report(each, `must be ${rule}`);
      const read = value(each);
      return read === undefined ? [] : [[name, read] as const];
    });
    return fields && new Map(entries);
  });
}

export function recordOf<T>(
  value: Reader<T>,
  rules: MapRules = {},
): Reader<Readonly<Record<string, T>>> {
  const map = mapOf(value, rules);
  return reader(map.schema, (field) => {
    const read = map(field);
    return read && Object.fromEntries(read);
  });
}

export function sectionSchema<T>(keys: Keys<T>, defaults?: Partial<T>, more?: Schema): Schema;
export function sectionSchema(
  keys: Keys<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>> = {},
  more: Schema = {},
): Schema {
  const entries = Object.entries(keys);
  const required = entries.flatMap(([name, { isRequired }]) => (isRequired === true ? name : []));
  const properties = entries.map(([name, each]) => [
    name,
    omitUndefined({
      description: each.about,
      ...schemaOf(each),
      // The defaults of a section are at its keys.
      default: each.mayBeBlank === true ? undefined : defaults[name],
    }),
  ]);
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
    ...more,
  };
}

function schemaOf({ read, mayBeBlank }: Key<unknown>): Schema {
  return mayBeBlank === true ? { ...read.schema, type: [read.schema.type, 'null'] } : read.schema;
}
