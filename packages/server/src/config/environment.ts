import { listedNames } from '../lib/nearest.ts';
import type { IsNeeded } from './parts.ts';
import { brokenTree, itemPath, keyPath, type ScalarTree, type Tree } from './tree.ts';
import type { Variables } from './variables.ts';

export interface Substituted {
  readonly tree: Tree;
  /** One per needed variable that cannot be read, and per reference without a name. */
  readonly problems: readonly string[];
  readonly isWhole: boolean;
}

/** The path for problems, and the keys; named items appear by name. */
interface TreePath {
  readonly path: string;
  readonly keys: readonly string[];
}

/**
 * Replaces `${NAME}` in values only, without searching the result again. An empty variable counts
 * as missing, because an empty key or password is never intended. An unneeded value with a missing
 * variable becomes broken, without a report.
 */
export function substitute(tree: Tree, variables: Variables, isNeeded: IsNeeded): Substituted {
  const nameless: string[] = [];
  const faults = new Map<string, { readonly problem: string; readonly paths: string[] }>();
  let isWhole = true;
  const substituted = within(tree, { path: '', keys: [] });
  const problems = [...faults.values()].map(({ problem, paths: [first, ...others] }) => {
    return `${first}: ${problem}${others.length === 0 ? '' : ` (also at ${listedNames(others)})`}`;
  });
  return { tree: substituted, problems: [...nameless, ...problems], isWhole };

  function within(part: Tree, treePath: TreePath): Tree {
    if (part.kind === 'scalar') return inText(part, treePath);
    if (part.kind === 'broken') return part;
    if (part.kind === 'list') {
      const items = part.items.map((item, index) => {
        const keys = [...treePath.keys, nameOf(item) ?? String(index)];
        return within(item, { path: itemPath(treePath.path, index), keys });
      });
      return { kind: 'list', items };
    }
    const entries = [...part.entries].map(([key, value]): [string, Tree] => {
      const inner = { path: keyPath(treePath.path, key), keys: [...treePath.keys, key] };
      return [key, within(value, inner)];
    });
    return { kind: 'table', entries: new Map(entries) };
  }

  function inText(scalar: ScalarTree, { path, keys }: TreePath): Tree {
    if (!scalar.text.includes('${')) return scalar;
    let isBroken = false;
    const text = scalar.text.replace(reference, (_match, name: string | undefined) => {
      const value = name === undefined ? undefined : variables(name);
      if (value?.text !== undefined) return value.text;
      isBroken = true;
      if (name === undefined || value === undefined) nameless.push(`${path}: ${withoutName}`);
      else if (isNeeded(keys)) note(name, value.problem, path);
      return '';
    });
    if (!isBroken) return { kind: 'scalar', text, written: scalar.written, isPlain: false };
    isWhole = false;
    return brokenTree;
  }

  function note(name: string, problem: string, path: string) {
    const fault = faults.get(name) ?? { problem, paths: [] };
    if (!fault.paths.includes(path)) fault.paths.push(path);
    faults.set(name, fault);
  }
}

const reference = /\$\{(?:([A-Za-z_]\w*)\})?/g;

const withoutName = `has "\${" without the name of a variable; use \${NAME}`;

function nameOf(item: Tree): string | undefined {
  const name = item.kind === 'table' ? item.entries.get('name') : undefined;
  return name?.kind === 'scalar' ? name.text : undefined;
}
