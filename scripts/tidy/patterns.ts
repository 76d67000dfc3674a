import { type Automaton, automatonOf } from './automaton.ts';
import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import type { SyntaxNode } from './source.ts';

/** The code that reads text from outside. */
const checkedPaths = /^packages\/(?:server|contract)\/src\//;

/** Patterns in which two repeats can share a text: on failure they try every share. */
export function findPatterns({ sources }: Project): readonly Finding[] {
  return sources
    .filter(({ path }) => checkedPaths.test(path))
    .flatMap((source) =>
      source.nodes
        .filter(({ node }) => isQuadratic(node))
        .map(({ node }) => ({
          path: source.path,
          line: source.lineOf(node.start),
          rule: 'patterns',
          cure: 'let no two repeats take the same text: together they take quadratic time',
        })),
    );
}

function isQuadratic({ regex }: SyntaxNode): boolean {
  if (typeof regex !== 'object' || regex === null) return false;
  if (!('pattern' in regex) || !('flags' in regex)) return false;
  const automaton = automatonOf(String(regex.pattern), String(regex.flags));
  const loops = automaton.follows.map((_, position) => loopOf(position, automaton));
  return loops.some((loop, p) =>
    loops.some(
      (other, q) => p !== q && !automaton.last.has(q) && canShare([p, q], [loop, other], automaton),
    ),
  );
}

/** The positions between a position and its next turn; none if it has one turn. */
function loopOf(position: number, automaton: Automaton): ReadonlySet<number> {
  const all = reachable(position, automaton);
  return new Set([...all].filter((each) => reachable(each, automaton).has(position)));
}

function reachable(from: number, { follows }: Automaton): ReadonlySet<number> {
  const seen = new Set<number>(follows[from]);
  for (const position of seen) for (const next of follows[position] ?? []) seen.add(next);
  return seen;
}

/**
 * Whether one text leads from `p` to `p`, from `p` to `q`, and from `q` to `q`. Source: Weber and
 * Seidl, On the degree of ambiguity of finite automata, 1991.
 */
function canShare(
  [p, q]: readonly [number, number],
  [loop, other]: readonly [ReadonlySet<number>, ReadonlySet<number>],
  { follows, takes }: Automaton,
): boolean {
  if (loop.size === 0 || other.size === 0) return false;
  const seen = new Set([`${p} ${p} ${q}`]);
  for (const state of seen) {
    const [a = 0, b = 0, c = 0] = state.split(' ').map(Number);
    for (const nextA of follows[a] ?? []) {
      for (const nextB of loop.has(nextA) ? (follows[b] ?? []) : []) {
        const both = (takes[nextA] ?? 0n) & (takes[nextB] ?? 0n);
        for (const nextC of both === 0n ? [] : (follows[c] ?? [])) {
          const isTaken = other.has(nextC) && (both & (takes[nextC] ?? 0n)) !== 0n;
          if (isTaken) seen.add(`${nextA} ${nextB} ${nextC}`);
        }
      }
    }
  }
  return seen.has(`${p} ${q} ${q}`);
}
