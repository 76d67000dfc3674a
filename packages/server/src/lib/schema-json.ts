import type { JsonValue } from '@model-gateway/contract';

export function schemaJson(schema: object): JsonValue {
  return JSON.parse(JSON.stringify(schema, withoutRule));
}

/** Keeps a property named `rule`, because its value is an object. */
function withoutRule(key: string, value: unknown): unknown {
  return key === 'rule' && typeof value === 'string' ? undefined : value;
}
