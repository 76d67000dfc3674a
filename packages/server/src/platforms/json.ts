/** Whether a JSON value is an object, as against an array, a scalar or null. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads JSON text, wrapped, since `null` is JSON too; undefined when the text is none. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    /* the platform's text is no JSON: the caller decides what that means */
    return undefined;
  }
}

/** A field of a JSON value; undefined where it is no object, or has none of that name. */
export function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
