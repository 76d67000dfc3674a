import { isEmpty, type ScalarTree, type Tree } from './tree.ts';

/** For values forwarded unchanged: YAML's rules distinguish numbers from text. */
export function plainValue(tree: Tree): unknown {
  return plain(tree, (scalar) => (scalar.isPlain ? plainScalar(scalar) : scalar.text));
}

/** Keeps `${NAME}` unsubstituted, so no variable's value appears. */
export function writtenValue(tree: Tree | undefined): unknown {
  if (tree === undefined) return undefined;
  return plain(tree, (scalar) => scalar.written);
}

function plain(tree: Tree, read: (scalar: ScalarTree) => unknown): unknown {
  if (tree.kind === 'scalar') return read(tree);
  if (tree.kind === 'list') return tree.items.map((item) => plain(item, read));
  if (tree.kind === 'broken') return undefined;
  return Object.fromEntries([...tree.entries].map(([key, value]) => [key, plain(value, read)]));
}

function plainScalar(scalar: ScalarTree): unknown {
  const { text } = scalar;
  if (isEmpty(scalar)) return null;
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/.test(text) ? Number(text) : text;
}
