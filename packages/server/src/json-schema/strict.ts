import type { JsonObject } from '@model-gateway/contract';
import { isRecord } from '../lib/json-value.ts';

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
