import { findUnwritable, isRecord, joinPath } from '../lib/json-value.ts';
import type { Dialect } from './keywords.ts';
import { problemAt, type SchemaProblem, shown } from './problem.ts';
import { SchemaWalk } from './walk.ts';
import { type SchemaNode, weigh } from './weigh.ts';

export interface Inspection {
  readonly kind: 'sound';
  readonly dialect: Dialect;
  readonly paths: ReadonlyMap<object, string>;
  readonly patterns: ReadonlyMap<string, string>;
  readonly weight: number;
  /** A cycle without a step into the value, so checks never end. */
  readonly endlessAt: string | undefined;
  /** Valid in its dialect, but the compiler's verdict would be wrong. */
  readonly untracked: SchemaProblem | undefined;
}

/**
 * Linear in the size: compiles nothing, runs no pattern, follows no outside reference. Never
 * throws.
 */
export function inspect(root: unknown): Inspection | SchemaProblem {
  if (!isRecord(root)) return problemAt('', 'must be a JSON Schema: an object');
  const unwritable = findUnwritable(root);
  if (unwritable !== undefined) return problemAt(unwritable.path, unwritable.text);
  const dialect = dialectOf(root);
  if (typeof dialect !== 'string') return dialect;
  const walk = new SchemaWalk(root, dialect);
  const problem = walk.run();
  if (problem !== undefined) return problem;
  const { nodes, patterns } = walk;
  const untracked = dialect === '2020-12' ? findUntracked(nodes) : undefined;
  const paths = new Map<object, string>();
  for (const { schema, path } of nodes.values()) paths.set(schema, path);
  const endless = walk.hasNestedIds ? undefined : findEndless(root, nodes);
  const endlessAt = endless === undefined ? undefined : paths.get(endless);
  const weight = weigh(root, nodes);
  return { kind: 'sound', dialect, paths, patterns, weight, endlessAt, untracked };
}

const draft07Ids = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;
const draft2020Ids = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

function dialectOf(root: Readonly<Record<string, unknown>>): Dialect | SchemaProblem {
  const id = Object.hasOwn(root, '$schema') ? root.$schema : undefined;
  if (id === undefined) return 'draft-07';
  if (typeof id !== 'string') return problemAt('$schema', 'must be a string');
  if (draft07Ids.test(id)) return 'draft-07';
  if (draft2020Ids.test(id)) return '2020-12';
  const known =
    '"http://json-schema.org/draft-07/schema#" or "https://json-schema.org/draft/2020-12/schema"';
  return problemAt('$schema', `must be ${known}; it is ${shown(id)}`);
}

type Steps = ReadonlyMap<object, SchemaNode>;

/**
 * A cycle without a step into the value never ends. Only schemas reachable from the root count.
 * Linear in the references; uses no recursion.
 */
function findEndless(root: object, nodes: Steps): object | undefined {
  const reached = new Set<object>([root]);
  for (const schema of reached) {
    for (const part of partsOf(schema, nodes, 'anywhere')) reached.add(part);
  }
  const ended = new Set<object>();
  for (const start of reached) {
    const repeated = walk(start, nodes, ended);
    if (repeated !== undefined) return repeated;
  }
  return undefined;
}

function walk(start: object, nodes: Steps, ended: Set<object>): object | undefined {
  if (ended.has(start)) return undefined;
  const onPath = new Set<object>([start]);
  const open = [{ schema: start, rest: partsOf(start, nodes, 'itself') }];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    const next = last.rest.pop();
    if (next === undefined) {
      onPath.delete(last.schema);
      ended.add(last.schema);
      open.pop();
    } else if (onPath.has(next)) return next;
    else if (!ended.has(next)) {
      onPath.add(next);
      open.push({ schema: next, rest: partsOf(next, nodes, 'itself') });
    }
  }
  return undefined;
}

function partsOf(schema: object, nodes: Steps, scope: 'itself' | 'anywhere'): object[] {
  const parts: object[] = [];
  for (const part of nodes.get(schema)?.parts ?? []) {
    const isMeant = scope === 'itself' ? part.scope === 'itself' : part.scope !== 'nothing';
    if (isMeant && typeof part.schema === 'object' && part.schema !== null) parts.push(part.schema);
  }
  return parts;
}

interface WalkedNode extends SchemaNode {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly path: string;
}

type WalkedNodes = ReadonlyMap<object, WalkedNode>;

/**
 * The compiler ignores items that `contains` evaluated, and full evaluation by a choice. Such a
 * schema could discard a paid response, or accept a wrong one.
 */
function findUntracked(nodes: WalkedNodes): SchemaProblem | undefined {
  for (const node of nodes.values()) {
    if (!('unevaluatedItems' in node.schema)) continue;
    const applied = appliedWith(node, nodes);
    // Without its branch, a choice's count falls back to the schema's own `prefixItems`, or to
    // none.
    const ignored = 'prefixItems' in node.schema ? whole : [...whole, 'prefixItems'];
    const isChosen = applied.some(({ schema }) => choices.some((name) => name in schema));
    const isWrong = applied.some(
      ({ schema }) =>
        'contains' in schema ||
        (isChosen && schema !== node.schema && ignored.some((name) => name in schema)),
    );
    if (isWrong) return problemAt(joinPath(node.path, 'unevaluatedItems'), cure);
  }
  return undefined;
}

const choices = ['anyOf', 'oneOf', 'if', 'dependentSchemas'] as const;
const whole = ['items', 'unevaluatedItems'] as const;
const cure =
  'is not supported next to contains, or to items in a choice; use items or prefixItems instead';

function appliedWith(start: WalkedNode, nodes: WalkedNodes): readonly WalkedNode[] {
  const reached = new Set<WalkedNode>([start]);
  for (const { schema, parts } of reached) {
    if (hasAnchor(schema)) return [...nodes.values()];
    for (const part of parts) {
      const isObject = typeof part.schema === 'object' && part.schema !== null;
      const node = isObject && part.scope === 'itself' ? nodes.get(part.schema) : undefined;
      if (node !== undefined) reached.add(node);
    }
  }
  return [...reached];
}

function hasAnchor({ $ref, $dynamicRef }: WalkedNode['schema']): boolean {
  return [$ref, $dynamicRef].some((text) => typeof text === 'string' && !/^#(\/|$)/.test(text));
}
