/** Evicts the least recently used entry. */
export interface TextCache<T> {
  get(text: string): T | undefined;
  set(text: string, value: T): void;
  delete(text: string): void;
}

export function createTextCache<T>(limits: {
  readonly entriesMax: number;
  readonly charactersMax: number;
}): TextCache<T> {
  const entries = new Map<string, T>();
  let characters = 0;
  return {
    get(text) {
      const value = entries.get(text);
      if (value === undefined) return undefined;
      entries.delete(text);
      entries.set(text, value);
      return value;
    },
    set(text, value) {
      remove(text);
      entries.set(text, value);
      characters += text.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= limits.entriesMax && characters <= limits.charactersMax) break;
        remove(oldest);
      }
    },
    delete: remove,
  };

  function remove(text: string) {
    if (entries.delete(text)) characters -= text.length;
  }
}
