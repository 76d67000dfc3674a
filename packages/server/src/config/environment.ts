import { listedNames } from '../lib/nearest.ts';
import type { IsNeeded } from './parts.ts';
import { brokenTree, itemPath, keyPath, type ScalarTree, type Tree } from './tree.ts';
import type { Variables } from './variables.ts';

/** The tree of a file with its variables put in, and what was wrong with them. */
export interface Substituted {
  readonly tree: Tree;
  /** One for each variable that is needed and cannot be read, and for each that has no name. */
  readonly problems: readonly string[];
  /** Whether every variable has been read, the needed ones and the others. */
  readonly isWhole: boolean;
}

/** Where a value stands: as problems name it, and as keys in which a named item has its name. */
interface Place {
  readonly path: string;
  readonly keys: readonly string[];
}

/**
 * Puts variables of the environment in place of `${NAME}`, in values only. What comes from the
 * environment is not searched again, so it may hold any character. An empty variable counts as
 * missing: an empty API key or password is never what was meant. A value that is not needed, and
 * whose variable cannot be read, is broken without a word: no reader takes it for a value.
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

  function within(part: Tree, place: Place): Tree {
    if (part.kind === 'scalar') return inText(part, place);
    if (part.kind === 'broken') return part;
    if (part.kind === 'list') {
      const items = part.items.map((item, index) => {
        const keys = [...place.keys, nameOf(item) ?? String(index)];
        return within(item, { path: itemPath(place.path, index), keys });
      });
      return { kind: 'list', items };
    }
    const entries = [...part.entries].map(([key, value]): [string, Tree] => {
      const inner = { path: keyPath(place.path, key), keys: [...place.keys, key] };
      return [key, within(value, inner)];
    });
    return { kind: 'table', entries: new Map(entries) };
  }

  function inText(scalar: ScalarTree, { path, keys }: Place): Tree {
    if (!scalar.text.includes('${')) return scalar;
    let isBroken = false;
    const text = scalar.text.replace(reference, (_found, name: string | undefined) => {
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

/** A variable, or the start of something that was meant to be one. */
const reference = /\$\{(?:([A-Za-z_]\w*)\})?/g;

const withoutName = `has "\${" without the name of a variable; write \${NAME}`;

function nameOf(item: Tree): string | undefined {
  const name = item.kind === 'table' ? item.entries.get('name') : undefined;
  return name?.kind === 'scalar' ? name.text : undefined;
}
