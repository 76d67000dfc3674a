import type { JsonObject } from '@model-gateway/contract';
import { isRecord } from '../lib/json-value.ts';
import type { SchemaText, Validate } from './compile.ts';
import { inspect } from './inspect.ts';
import { problemAt, type SchemaProblem } from './problem.ts';

export const schemaLimits = {
  /** In JSON. Platforms take less. */
  charactersMax: 262_144,
  weightMax: 1_000,
  /** Nested schemas per turn of the event loop: 15 ms cold. */
  nodesPerTurn: 64,
  /** Worst-case inline comparisons: 20 ms cold. */
  stepsMax: 300_000,
  charactersPerStep: 32,
} as const;

/** The app's time is used up, or no thread was free. */
export interface Crowded {
  readonly kind: 'crowded';
  readonly waitMs: number;
}

export interface SchemaEntry extends SchemaText {
  readonly kind: 'entry';
  readonly isStrict: boolean;
  readonly weight: number;
  readonly nodes: number;
  readonly isInline: boolean;
  validate: Validate | undefined;
  readonly patterns: ReadonlyMap<string, string>;
  verdict: 'sound' | SchemaProblem | undefined;
  readonly judging: Map<string, Promise<SchemaProblem | Crowded | undefined>>;
}

export function openSchema(schema: JsonObject, text: string): SchemaEntry | SchemaProblem {
  const { charactersMax, weightMax, nodesPerTurn } = schemaLimits;
  if (text.length > charactersMax) {
    return problemAt('', `has ${text.length} characters; the maximum is ${charactersMax}`);
  }
  const inspection = inspect(schema);
  if (inspection.kind === 'problem') return inspection;
  const { dialect, weight, paths, patterns, endlessAt, untracked } = inspection;
  if (untracked !== undefined) return untracked;
  if (endlessAt !== undefined) {
    return problemAt(endlessAt, 'is an endless reference to itself');
  }
  const nodes = paths.size;
  const isSmall = weight <= weightMax && nodes <= nodesPerTurn;
  const isInline = isSmall && !hasInnerNames(schema, text);
  const isStrict = isStrictSchema(schema);
  return {
    ...{ kind: 'entry' as const, text, dialect, isStrict, weight, nodes, isInline, patterns },
    ...{ validate: undefined, verdict: undefined, judging: new Map() },
  };
}

/** Only the compiler follows such names. The root's own does not count. */
function hasInnerNames(schema: JsonObject, text: string): boolean {
  const names = text.match(/"\$(?:id|anchor|dynamicAnchor)":/g)?.length ?? 0;
  return names > (Object.hasOwn(schema, '$id') ? 1 : 0);
}

/**
 * OpenAI's `strict` subset, which platforms enforce on answers. They refuse any other strict
 * schema, so doubt means false; answers are always checked here too.
 */
export function isStrictSchema(root: JsonObject): boolean {
  if (root.type !== 'object' || Object.hasOwn(root, 'anyOf')) return false;
  const count = { properties: 0, values: 0 };
  return isStrict(root, count, 1) && count.properties <= 5_000 && count.values <= 1_000;
}

const levelsMax = 10;

const allowed = new Set([
  ...['$schema', '$defs', 'title', 'description', 'type', 'enum', 'const', 'anyOf', 'format'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);

const formats = new Set<unknown>([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
]);

interface Count {
  properties: number;
  values: number;
}

function isStrict(schema: unknown, count: Count, level: number): boolean {
  if (!isRecord(schema) || level > levelsMax) return false;
  const { $ref, type, anyOf, enum: values, $defs, format } = schema;
  const deeper = (part: unknown) => isStrict(part, count, level + 1);
  if ($ref !== undefined) return Object.keys(schema).length === 1;
  if (!Object.keys(schema).every((name) => allowed.has(name))) return false;
  if (type === undefined && anyOf === undefined) return false;
  if (format !== undefined && !formats.has(format)) return false;
  if (Array.isArray(values)) count.values += values.length;
  if (isRecord($defs) && !Object.values($defs).every(deeper)) return false;
  if (Array.isArray(anyOf) && !anyOf.every(deeper)) return false;
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('object') && !isClosed(schema, count, deeper)) return false;
  return !types.includes('array') || deeper(schema.items);
}

/** Lists all its properties as required, and allows no others. */
function isClosed(
  schema: Readonly<Record<string, unknown>>,
  count: Count,
  deeper: (part: unknown) => boolean,
): boolean {
  const { properties, required, additionalProperties } = schema;
  if (additionalProperties !== false || !isRecord(properties) || !Array.isArray(required)) {
    return false;
  }
  const names = Object.keys(properties);
  count.properties += names.length;
  if (new Set(required).size !== names.length) return false;
  const listed = new Set<unknown>(required);
  return names.every((name) => listed.has(name)) && Object.values(properties).every(deeper);
}
