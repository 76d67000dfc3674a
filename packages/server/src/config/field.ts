import { isEmpty, itemPath, keyPath, type Tree } from './tree.ts';

/** A place of the file: where it is, what is written there, and where its problems go. */
export interface Field {
  readonly path: string;
  readonly tree: Tree;
  readonly problems: string[];
}

/** Reads a field; reports what is wrong with it and answers undefined. */
export type Read<T> = (field: Field) => T | undefined;

/** Adds a problem of this field. Answers undefined, so that a reader can end with it. */
export function report(field: Field, sentence: string): undefined {
  field.problems.push(`${field.path === '' ? 'the file' : field.path}: ${sentence}`);
  return undefined;
}

/** The fields of a section by key; undefined, and reported, when it is none. */
export function fieldsOf(field: Field): ReadonlyMap<string, Field> | undefined {
  const { tree } = field;
  if (tree.kind !== 'table') {
    if (tree.kind !== 'broken') report(field, 'must be a section, such as { key: value }');
    return undefined;
  }
  const entries = [...tree.entries].map(([key, value]): [string, Field] => [
    key,
    { ...field, path: keyPath(field.path, key), tree: value },
  ]);
  return new Map(entries);
}

/** Reads every item of a list; items that are wrong are left out, and have been reported. */
export function readList<T>(field: Field, read: Read<T>): readonly T[] {
  const { tree } = field;
  if (tree.kind === 'list') {
    return tree.items.flatMap((item, index) => {
      const value = read({ ...field, path: itemPath(field.path, index), tree: item });
      return value === undefined ? [] : [value];
    });
  }
  if (tree.kind !== 'broken') report(field, 'must be a list, such as [a, b]');
  return [];
}

/** Whether a problem within the field has been reported: what lacks in it is no further one. */
export function hasBroken(field: Field | undefined): boolean {
  return field !== undefined && isBroken(field.tree);
}

function isBroken(tree: Tree): boolean {
  if (tree.kind === 'table') return [...tree.entries.values()].some(isBroken);
  return tree.kind === 'list' ? tree.items.some(isBroken) : tree.kind === 'broken';
}

/** Whether the field may be passed over: nothing is written below its key. */
export function isBlank(field: Field): boolean {
  return isEmpty(field.tree);
}
