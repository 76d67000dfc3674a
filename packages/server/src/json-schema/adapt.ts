import { isRecord } from '../lib/json-value.ts';
import type { Dialect } from './keywords.ts';

type Schema = Record<string, unknown>;

/**
 * Rewrites keywords that the compiler interprets differently from the dialect. `schemas`: all
 * schemas that the walk visited. Reference targets keep their position.
 */
export function adapt(schemas: readonly Schema[], dialect: Dialect): void {
  const isTracked = schemas.some((schema) => unevaluated.some((name) => name in schema));
  const anchors = countDynamicAnchors(schemas);
  for (const schema of schemas) {
    nameProto(schema);
    if (dialect === 'draft-07') dependOnProto(schema);
    if (isTracked) choose(schema);
    plainReference(schema, anchors);
  }
}

const unevaluated = ['unevaluatedItems', 'unevaluatedProperties'] as const;
const proto = '__proto__';

/** The compiler ignores a property `__proto__`, but not a pattern for it. */
function nameProto(schema: Schema): void {
  const { properties, patternProperties } = schema;
  if (!isRecord(properties) || !Object.hasOwn(properties, proto)) return;
  const { [proto]: own, ...others } = properties;
  const patterns = isRecord(patternProperties) ? patternProperties : {};
  let pattern = `^${proto}$`;
  while (Object.hasOwn(patterns, pattern)) pattern = `(?:${pattern})`;
  schema.properties = others;
  schema.patternProperties = { ...patterns, [pattern]: own };
}

function dependOnProto(schema: Schema): void {
  const { dependencies } = schema;
  if (!isRecord(dependencies) || !Object.hasOwn(dependencies, proto)) return;
  const { [proto]: own, ...others } = dependencies;
  schema.dependencies = others;
  const isMissing = { not: { required: [proto] } };
  add(schema, { anyOf: [isMissing, Array.isArray(own) ? { required: own } : own] });
}

/**
 * The compiler counts a failed `if` as evaluated, and nothing for a missing branch; a choice has
 * neither fault. Branches without `if` have no effect.
 */
function choose(schema: Schema): void {
  if (!Object.hasOwn(schema, 'if')) return;
  const { if: condition, then: yes = true, else: no = true } = schema;
  Reflect.deleteProperty(schema, 'if');
  const otherwise = { allOf: [{ not: condition }, no] };
  add(schema, { anyOf: [{ allOf: [condition, yes] }, otherwise] });
}

function add(schema: Schema, part: object): void {
  schema.allOf = [...(Array.isArray(schema.allOf) ? schema.allOf : []), part];
}

function countDynamicAnchors(schemas: readonly Schema[]): ReadonlyMap<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const { $dynamicAnchor: name } of schemas) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/**
 * With a single anchor it equals a static reference. The compiler resolves unvisited anchors to the
 * root.
 */
function plainReference(schema: Schema, anchors: ReadonlyMap<unknown, number>): void {
  const { $dynamicRef: reference } = schema;
  if (typeof reference !== 'string' || (anchors.get(reference.slice(1)) ?? 0) > 1) return;
  Reflect.deleteProperty(schema, '$dynamicRef');
  if (Object.hasOwn(schema, '$ref')) add(schema, { $ref: reference });
  else schema.$ref = reference;
}
