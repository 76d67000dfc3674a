/**
 * Evicts the least recently used entries: callers choose the names, so their number is unbounded.
 */
export function createModelCache<T>(
  make: (name: string) => T,
  sizeMax = 1_000,
): (name: string) => T {
  const entries = new Map<string, T>();
  let latest: { readonly name: string; readonly value: T } | undefined;
  return (name) => {
    // Most calls use the same model as the previous call.
    if (latest?.name === name) return latest.value;
    const cached = entries.get(name);
    const value = cached ?? make(name);
    if (cached !== undefined) entries.delete(name);
    entries.set(name, value);
    latest = { name, value };
    if (entries.size > sizeMax) {
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        break;
      }
    }
    return value;
  };
}
