import { brokenTree, itemPath, keyPath, type ScalarTree, type Tree } from './tree.ts';
import type { Variables } from './variables.ts';

/**
 * Puts variables of the environment in place of `${NAME}`, in values only. What comes from the
 * environment is not searched again, so it may hold any character. An empty variable counts as
 * missing: an empty API key or password is never what was meant.
 */
export function substitute(parts: {
  readonly tree: Tree;
  readonly path: string;
  readonly variables: Variables;
  readonly problems: string[];
}): Tree {
  const { tree, path } = parts;
  if (tree.kind === 'scalar') return substituteText(tree, parts);
  if (tree.kind === 'list') {
    const items = tree.items.map((item, index) =>
      substitute({ ...parts, tree: item, path: itemPath(path, index) }),
    );
    return { kind: 'list', items };
  }
  if (tree.kind === 'broken') return tree;
  const entries = new Map<string, Tree>();
  for (const [key, value] of tree.entries) {
    entries.set(key, substitute({ ...parts, tree: value, path: keyPath(path, key) }));
  }
  return { kind: 'table', entries };
}

/** A variable, or the start of something that was meant to be one. */
const reference = /\$\{(?:([A-Za-z_]\w*)\})?/g;

function substituteText(
  scalar: ScalarTree,
  parts: { readonly path: string; readonly variables: Variables; readonly problems: string[] },
): Tree {
  if (!scalar.text.includes('${')) return scalar;
  const wrongs: string[] = [];
  const text = scalar.text.replace(reference, (_found, name: string | undefined) => {
    const value = name === undefined ? nameless : parts.variables(name);
    if (value.text === undefined) wrongs.push(value.problem);
    return value.text ?? '';
  });
  for (const wrong of wrongs) parts.problems.push(`${parts.path}: ${wrong}`);
  if (wrongs.length > 0) return brokenTree;
  return { kind: 'scalar', text, written: scalar.written, isPlain: false };
}

const nameless = {
  text: undefined,
  problem: `has "\${" without the name of a variable; write \${NAME}`,
} as const;
