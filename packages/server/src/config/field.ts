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
    if (tree.kind !== 'broken') report(field, `must be a section, ${sectionCure(tree)}`);
    return undefined;
  }
  const entries = [...tree.entries].map(([key, value]): [string, Field] => [
    key,
    { ...field, path: keyPath(field.path, key), tree: value },
  ]);
  return new Map(entries);
}

/**
 * Reads every item of a list; items that are wrong are left out, and have been reported. `id` is
 * the key that names an item of a list of sections.
 */
export function readList<T>(field: Field, read: Read<T>, id?: 'id' | 'name'): readonly T[] {
  const { tree } = field;
  if (tree.kind === 'list') {
    return tree.items.flatMap((item, index) => {
      const value = read({ ...field, path: itemPath(field.path, index), tree: item });
      return value === undefined ? [] : [value];
    });
  }
  if (tree.kind !== 'broken') report(field, `must be a list, ${listCure(tree, id)}`);
  return [];
}

/** A word that a key could be, and more after it: a colon is missing between the two. */
function sectionCure(tree: Tree): string {
  const isKey = tree.kind === 'scalar' && tree.isPlain && /^[A-Za-z]\w* /.test(tree.text);
  return `such as { key: value }${isKey ? '; is a colon missing after the key?' : ''}`;
}

/** A section with the names as its keys is what others' files have. */
function listCure(tree: Tree, id: 'id' | 'name' | undefined): string {
  if (tree.kind !== 'table' || id === undefined) return 'such as [a, b]';
  const [first = 'search'] = [...tree.entries.keys()].filter((key) => /^[\w.-]{1,63}$/.test(key));
  return `not a section: write "- ${id}: ${first}" with its other keys below it, and the same for each`;
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
