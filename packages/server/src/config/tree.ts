import { bodyLimits } from '@model-gateway/contract';
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { longNumber } from '../lib/json-size.ts';
import { isInBrackets, syntaxProblems } from './syntax.ts';

export type Tree = ScalarTree | ListTree | TableTree | BrokenTree;

/**
 * Values stay text until they are read: `0.10` and digit keys arrive as written, and money is never
 * a float.
 */
export interface ScalarTree {
  readonly kind: 'scalar';
  readonly text: string;
  readonly written: string;
  /** Unquoted and without variables: `true`, `12` and `null` can be more than text. */
  readonly isPlain: boolean;
}

export interface ListTree {
  readonly kind: 'list';
  readonly items: readonly Tree[];
}

export interface TableTree {
  readonly kind: 'table';
  readonly entries: ReadonlyMap<string, Tree>;
}

/** Its problem is already reported; readers must not report it again. */
export interface BrokenTree {
  readonly kind: 'broken';
}

export const brokenTree: BrokenTree = { kind: 'broken' };

/** Aliases can turn a short file into a huge or endless tree. */
const nodesMax = 100_000;
const depthMax = 32;

/** After a syntax error it fills `problems` and returns a broken tree. */
export function parseTree(text: string, problems: string[]): Tree {
  const parseProblems: string[] = [];
  const tree = parseText(text, parseProblems);
  const bare = parseProblems.length === 0 ? [] : bareVariables(text);
  // A spread could exceed the limit of arguments.
  for (const problem of bare.length === 0 ? parseProblems : bare) problems.push(problem);
  return tree;
}

/**
 * YAML reports an error on each line after an unquoted `${…}` between braces. This finds the real
 * ones, one line each.
 */
function bareVariables(text: string): readonly string[] {
  if ((text.match(bareVariable)?.length ?? 0) > bareMax) return [];
  const marked = text.replace(bareVariable, (match, name: string, at: number) =>
    isInBrackets(text, at) ? `"${mark}\${${name}}"` : match,
  );
  const rest: string[] = [];
  const tree = marked === text ? brokenTree : parseText(marked, rest);
  return rest.length > 0 ? [] : markedPaths(tree, '').map(needsQuotes);
}

const bareMax = 100;

const bareVariable = /(?<=[\s,:[{])\$\{([A-Za-z_]\w*)\}(?=[\s,\]}])/g;

/** A private-use character that no file contains. */
const mark = '\u{F0000}';

function needsQuotes({ path, written }: { readonly path: string; readonly written: string }) {
  return `${path}: ${written} needs quotes between braces or brackets; write "${written}"`;
}

function markedPaths(tree: Tree, path: string): readonly { path: string; written: string }[] {
  if (tree.kind === 'table') {
    return [...tree.entries].flatMap(([key, value]) => markedPaths(value, keyPath(path, key)));
  }
  if (tree.kind === 'list') {
    return tree.items.flatMap((item, index) => markedPaths(item, itemPath(path, index)));
  }
  const isMarked = tree.kind === 'scalar' && tree.text.startsWith(mark);
  return isMarked ? [{ path, written: tree.text.slice(mark.length) }] : [];
}

function parseText(text: string, problems: string[]): Tree {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    schema: 'failsafe',
    // The library's own sentences quote the line, which might contain a secret.
    prettyErrors: false,
    lineCounter: lines,
    // Found later, when the path is known.
    uniqueKeys: false,
  });
  problems.push(...syntaxProblems(text, document, lines));
  if (problems.length > 0) return brokenTree;
  return createBuilder(document, problems).build(document.contents, '', 0);
}

/** For example `platforms["my platform"]`, `apps[1]`. */
export function keyPath(path: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

export function itemPath(path: string, index: number): string {
  return `${path}[${index}]`;
}

function createBuilder(document: Document, problems: string[]) {
  let nodes = 0;
  let isTooLarge = false;
  return { build };

  function build(node: unknown, path: string, depth: number): Tree {
    nodes++;
    if (nodes > nodesMax || depth > depthMax) {
      if (!isTooLarge) problems.push(`${path}: is too large or nested too deep; use no aliases`);
      isTooLarge = true;
      return brokenTree;
    }
    if (isAlias(node)) return build(node.resolve(document), path, depth + 1);
    if (isMap(node)) return buildTable(node, path, depth);
    if (isSeq(node)) {
      const items = node.items.map((item, index) => build(item, itemPath(path, index), depth + 1));
      return { kind: 'list', items };
    }
    const scalar = isScalar(node) ? buildScalar(node) : emptyScalar;
    if (!isLongNumber(scalar)) return scalar;
    problems.push(`${path}: ${longNumber}`);
    return brokenTree;
  }

  function buildTable(node: YAMLMap, path: string, depth: number): Tree {
    const entries = new Map<string, Tree>();
    for (const pair of node.items) {
      const key = keyText(pair.key);
      if (key === undefined) {
        problems.push(`${path}: a key must be a word`);
        continue;
      }
      const entryPath = keyPath(path, key);
      if (entries.has(key)) problems.push(`${entryPath}: appears twice`);
      entries.set(key, build(pair.value, entryPath, depth + 1));
    }
    return { kind: 'table', entries };
  }
}

const emptyScalar: ScalarTree = { kind: 'scalar', text: '', written: '', isPlain: true };

function buildScalar(node: Scalar): ScalarTree {
  const text = typeof node.value === 'string' ? node.value : (node.source ?? '');
  return { kind: 'scalar', text, written: text, isPlain: node.type === 'PLAIN' };
}

/** Only unquoted digits count; quoted text can have any length. */
function isLongNumber({ text, isPlain }: ScalarTree): boolean {
  return isPlain && text.length > bodyLimits.jsonNumberCharactersMax && numberForm.test(text);
}

const numberForm = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

function keyText(key: unknown): string | undefined {
  return isScalar(key) ? buildScalar(key).text : undefined;
}

export function isEmpty(tree: Tree): boolean {
  return tree.kind === 'scalar' && tree.isPlain && ['', '~', 'null'].includes(tree.text);
}
