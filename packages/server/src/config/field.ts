import { tooMany } from '../lib/sentences.ts';
import { isEmpty, itemPath, keyPath, type Tree } from './tree.ts';

export interface Field {
  readonly path: string;
  readonly tree: Tree;
  readonly problems: string[];
}

/** Reports problems and returns undefined. */
export type Read<T> = (field: Field) => T | undefined;

export function report(field: Field, sentence: string): undefined {
  field.problems.push(`${field.path === '' ? 'the file' : field.path}: ${sentence}`);
  return undefined;
}

export interface Bounds {
  readonly max?: number;
  /** The noun for counted entries. */
  readonly noun?: string;
  /** Follows the problem of too many entries. */
  readonly cure?: string;
  /** The problem of a list without entries; if absent, the list may be empty. */
  readonly empty?: string;
}

function fits(field: Field, size: number, bounds: Bounds): boolean {
  const { max = size, noun = '', cure = '', empty } = bounds;
  const problem = size > max ? tooMany(max, noun, size) + cure : size === 0 ? empty : undefined;
  if (problem !== undefined) report(field, problem);
  return problem === undefined;
}

export function fieldsOf(
  field: Field,
  bounds: Bounds = {},
): ReadonlyMap<string, Field> | undefined {
  const { tree } = field;
  if (tree.kind !== 'table') {
    if (tree.kind !== 'broken') report(field, `must be a section, ${sectionCure(tree)}`);
    return undefined;
  }
  if (!fits(field, tree.entries.size, bounds)) return undefined;
  const entries = [...tree.entries].map(([key, value]): [string, Field] => [
    key,
    { ...field, path: keyPath(field.path, key), tree: value },
  ]);
  return new Map(entries);
}

/** Omits wrong items after reporting them. `id`: the key that names an item. */
export function readList<T>(
  field: Field,
  read: Read<T>,
  { id, ...bounds }: Bounds & { readonly id?: 'id' | 'name' } = {},
): readonly T[] {
  const { tree } = field;
  if (tree.kind === 'list') {
    if (!fits(field, tree.items.length, bounds)) return [];
    return tree.items.flatMap((item, index) => {
      const value = read({ ...field, path: itemPath(field.path, index), tree: item });
      return value === undefined ? [] : [value];
    });
  }
  if (tree.kind !== 'broken') report(field, `must be a list, ${listCure(tree, id)}`);
  return [];
}

/** A likely key followed by more text lacks its colon. */
function sectionCure(tree: Tree): string {
  const isKey = tree.kind === 'scalar' && tree.isPlain && /^[A-Za-z]\w* /.test(tree.text);
  return `such as { key: value }${isKey ? '; is a colon missing after the key?' : ''}`;
}

/** Files of other tools use the names as keys of a section. */
function listCure(tree: Tree, id: 'id' | 'name' | undefined): string {
  if (tree.kind !== 'table' || id === undefined) return 'such as [a, b]';
  const [first = 'search'] = [...tree.entries.keys()].filter((key) => /^[\w.-]{1,63}$/.test(key));
  return `not a section; write "- ${id}: ${first}" with its other keys below it, and the same for each entry`;
}

/** A broken field must not also be reported as incomplete. */
export function hasBroken(field: Field | undefined): boolean {
  return field !== undefined && isBroken(field.tree);
}

function isBroken(tree: Tree): boolean {
  if (tree.kind === 'table') return [...tree.entries.values()].some(isBroken);
  return tree.kind === 'list' ? tree.items.some(isBroken) : tree.kind === 'broken';
}

export function isBlank(field: Field): boolean {
  return isEmpty(field.tree);
}
