/** Whether a value is an object: a list is one too, a function is not. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object with named fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !Array.isArray(value);
}
