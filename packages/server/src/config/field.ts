import { nearest } from './nearest.ts';
import { isEmpty, itemPath, keyPath, type Tree } from './tree.ts';

/** A place of the file: where it is, what is written there, and whom to tell what is wrong. */
export interface Field {
  readonly path: string;
  readonly tree: Tree;
  readonly problems: string[];
}

/** Reads a field; reports what is wrong with it and answers undefined. */
export type Read<T> = (field: Field) => T | undefined;

/** A section of known keys. */
export interface Table<Key extends string> {
  /** The field of a key; undefined when the file does not name it. */
  field(key: Key): Field | undefined;
  /** Undefined when the file does not name the key, or what it says is wrong. */
  read<T>(key: Key, read: Read<T>): T | undefined;
  /** The same, and the key's absence is a problem. */
  require<T>(key: Key, read: Read<T>): T | undefined;
}

/** Adds a problem of this field. Answers undefined, so that a reader can end with it. */
export function report(field: Field, sentence: string): undefined {
  field.problems.push(`${field.path === '' ? 'the file' : field.path}: ${sentence}`);
  return undefined;
}

/** Opens a field as a section that takes `keys` alone; other keys are problems. */
export function openTable<Key extends string>(field: Field, keys: readonly Key[]): Table<Key> {
  const entries = tableEntries(field);
  const known: readonly string[] = keys;
  for (const entry of entries?.values() ?? []) {
    if (!known.includes(entry.key)) report(entry.field, unknownKey(entry.key, known));
  }
  const find = (key: Key) => entries?.get(key)?.field;
  return {
    field: find,
    read(key, read) {
      const found = find(key);
      return found === undefined ? undefined : read(found);
    },
    require(key, read) {
      const found = find(key);
      if (found !== undefined) return read(found);
      // A field that is no section at all has been reported: its keys are not missing as well.
      if (entries === undefined) return undefined;
      return report({ ...field, path: keyPath(field.path, key) }, 'is required');
    },
  };
}

/** The entries of a field whose keys are names that the operator chose. */
export function namedFields(field: Field): readonly { key: string; field: Field }[] {
  return [...(tableEntries(field)?.values() ?? [])];
}

/** The items of a field that is a list. */
export function listFields(field: Field): readonly Field[] {
  const { tree } = field;
  if (tree.kind === 'list') {
    return tree.items.map((item, index) => ({
      ...field,
      path: itemPath(field.path, index),
      tree: item,
    }));
  }
  if (tree.kind !== 'broken') report(field, 'must be a list, such as [a, b]');
  return [];
}

/** Reads every item of a list; items that are wrong are left out, and have been reported. */
export function readList<T>(field: Field, read: Read<T>): readonly T[] {
  return listFields(field).flatMap((item) => {
    const value = read(item);
    return value === undefined ? [] : [value];
  });
}

/** Whether the field may be passed over: nothing is written below its key. */
export function isBlank(field: Field): boolean {
  return isEmpty(field.tree);
}

function tableEntries(field: Field) {
  const { tree } = field;
  if (tree.kind !== 'table') {
    if (tree.kind !== 'broken') report(field, 'must be a section, such as { key: value }');
    return undefined;
  }
  const entries = new Map<string, { key: string; field: Field }>();
  for (const [key, value] of tree.entries) {
    const path = keyPath(field.path, key);
    entries.set(key, { key, field: { ...field, path, tree: value } });
  }
  return entries;
}

function unknownKey(key: string, known: readonly string[]): string {
  const close = nearest(key, known);
  const cure =
    close === undefined ? `write one of ${known.join(', ')}` : `did you mean "${close}"?`;
  return `is an unknown key; ${cure}`;
}
