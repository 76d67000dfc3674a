import type { Observer } from '../lib/observer.ts';

export interface KeyUse {
  readonly observer: Observer;
  /** At most once a minute for each key, and a limited number at once. */
  due(nowMs: number): readonly string[];
  noted(keyIds: readonly string[], nowMs: number): void;
}

const everyMs = 60_000;
const dueMax = 100;

/** A request only adds its key to a set. */
export function createKeyUse(): KeyUse {
  const used = new Set<string>();
  const notedAt = new Map<string, number>();
  return {
    observer: {
      requestAnswered({ facts }) {
        if (facts.keyId !== undefined) used.add(facts.keyId);
      },
    },
    due(nowMs) {
      const keyIds: string[] = [];
      for (const keyId of used) {
        if (nowMs - (notedAt.get(keyId) ?? 0) < everyMs) continue;
        keyIds.push(keyId);
        if (keyIds.length === dueMax) break;
      }
      return keyIds;
    },
    noted(keyIds, nowMs) {
      for (const keyId of keyIds) {
        used.delete(keyId);
        notedAt.set(keyId, nowMs);
      }
    },
  };
}
