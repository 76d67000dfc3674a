import type { JsonValue } from '@model-gateway/contract';

/** A validator as the JSON Schema that it is, without its `rule` and its library's own fields. */
export function schemaJson(schema: object): JsonValue {
  return JSON.parse(JSON.stringify(schema, withoutRule));
}

/** A property of the name `rule` is an object, and stays. */
function withoutRule(key: string, value: unknown): unknown {
  return key === 'rule' && typeof value === 'string' ? undefined : value;
}
