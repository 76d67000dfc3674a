/**
 * The value as the type that it is known to have: what the gateway has made and checked, or what a
 * schema has let pass.
 */
export function asTyped<T>(value: unknown): T;
export function asTyped(value: unknown): unknown {
  return value;
}
