/** Evicts the least recently used. */
export interface TextCache<T> {
  get(text: string): T | undefined;
  set(text: string, value: T): void;
  delete(text: string): void;
}

export function createTextCache<T>(limits: {
  readonly entriesMax: number;
  readonly charactersMax: number;
}): TextCache<T> {
  const kept = new Map<string, T>();
  let characters = 0;
  return {
    get(text) {
      const value = kept.get(text);
      if (value === undefined) return undefined;
      kept.delete(text);
      kept.set(text, value);
      return value;
    },
    set(text, value) {
      forget(text);
      kept.set(text, value);
      characters += text.length;
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.entriesMax && characters <= limits.charactersMax) break;
        forget(oldest);
      }
    },
    delete: forget,
  };

  function forget(text: string) {
    if (kept.delete(text)) characters -= text.length;
  }
}
