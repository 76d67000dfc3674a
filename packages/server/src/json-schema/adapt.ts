import { isRecord } from '../lib/json-value.ts';
import type { Dialect } from './keywords.ts';

type Schema = Record<string, unknown>;

/**
 * Writes what the compiler reads differently from the dialect so that both agree. `schemas` are all
 * that the walk has met; what a reference may lead to stays where it is.
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

/** The compiler passes over a property of this name, and over no pattern. */
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

/** The same of a dependency. */
function dependOnProto(schema: Schema): void {
  const { dependencies } = schema;
  if (!isRecord(dependencies) || !Object.hasOwn(dependencies, proto)) return;
  const { [proto]: own, ...others } = dependencies;
  schema.dependencies = others;
  const isMissing = { not: { required: [proto] } };
  add(schema, { anyOf: [isMissing, Array.isArray(own) ? { required: own } : own] });
}

/**
 * `if` as a choice: the compiler counts what `if` has looked at as evaluated where `if` fails, and
 * nothing where a branch is missing. Branches stay, since without `if` they mean nothing.
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

/** How often each dynamic anchor is there. */
function countDynamicAnchors(schemas: readonly Schema[]): ReadonlyMap<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const { $dynamicAnchor: name } of schemas) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/**
 * A dynamic reference to an anchor that is there once is a reference. The compiler leads it to the
 * root where it has not met the anchor before.
 */
function plainReference(schema: Schema, anchors: ReadonlyMap<unknown, number>): void {
  const { $dynamicRef: reference } = schema;
  if (typeof reference !== 'string' || (anchors.get(reference.slice(1)) ?? 0) > 1) return;
  Reflect.deleteProperty(schema, '$dynamicRef');
  if (Object.hasOwn(schema, '$ref')) add(schema, { $ref: reference });
  else schema.$ref = reference;
}
