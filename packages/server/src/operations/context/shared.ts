import type { Clock } from '../../lib/clock.ts';

/** One read for all readers who want the same document within a short time. */
export interface Shared<Asked, Document> {
  /** `name` is equal for equal documents only. */
  read(name: string, asked: Asked): Promise<Document>;
  /** The next reader reads again: something has changed. */
  forget(): void;
}

export function createShared<Asked, Document>(parts: {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly keptMs: number;
  readonly readNow: (asked: Asked) => Promise<Document>;
}): Shared<Asked, Document> {
  const { clock, keptMs, readNow } = parts;
  const kept = new Map<string, { readonly atMs: number; readonly found: Promise<Document> }>();
  return {
    read(name, asked) {
      const nowMs = clock.monotonic();
      for (const [old, { atMs }] of kept) if (nowMs - atMs >= keptMs) kept.delete(old);
      const known = kept.get(name);
      if (known !== undefined) return known.found;
      const found = readNow(asked);
      const entry = { atMs: nowMs, found };
      kept.set(name, entry);
      found.catch(() => kept.get(name) === entry && kept.delete(name));
      return found;
    },
    forget: () => kept.clear(),
  };
}
