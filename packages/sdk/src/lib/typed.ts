/**
 * The value as its known type: the gateway has created and checked it, or a schema has accepted it.
 */
export function asTyped<T>(value: unknown): T;
export function asTyped(value: unknown): unknown {
  return value;
}
