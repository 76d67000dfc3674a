/** Least recently used entries go: callers choose the names, so their number is unbounded. */
export function createModelCache<T>(
  make: (name: string) => T,
  sizeMax = 1_000,
): (name: string) => T {
  const kept = new Map<string, T>();
  let latest: { readonly name: string; readonly value: T } | undefined;
  return (name) => {
    // Most calls ask for what the call before them asked for.
    if (latest?.name === name) return latest.value;
    const found = kept.get(name);
    const value = found ?? make(name);
    if (found !== undefined) kept.delete(name);
    kept.set(name, value);
    latest = { name, value };
    if (kept.size > sizeMax) {
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        break;
      }
    }
    return value;
  };
}
