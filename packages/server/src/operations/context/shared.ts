import type { Clock } from '../../lib/clock.ts';

/** One read for all readers of the same document within a short time. */
export interface Shared<Query, Document> {
  /** `name` must be equal only for equal documents. */
  read(name: string, query: Query): Promise<Document>;
  /** After a change, the next reader must read again. */
  invalidate(): void;
}

export function createShared<Query, Document>(parts: {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly maxAgeMs: number;
  readonly readNow: (query: Query) => Promise<Document>;
}): Shared<Query, Document> {
  const { clock, maxAgeMs, readNow } = parts;
  const cache = new Map<string, { readonly atMs: number; readonly document: Promise<Document> }>();
  return {
    read(name, query) {
      const nowMs = clock.monotonic();
      for (const [old, { atMs }] of cache) if (nowMs - atMs >= maxAgeMs) cache.delete(old);
      const cached = cache.get(name);
      if (cached !== undefined) return cached.document;
      const document = readNow(query);
      const entry = { atMs: nowMs, document };
      cache.set(name, entry);
      document.catch(() => cache.get(name) === entry && cache.delete(name));
      return document;
    },
    invalidate: () => cache.clear(),
  };
}
