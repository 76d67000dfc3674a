import type { Observer } from '../lib/observer.ts';

/** Which keys were used, for those who write it down now and then. */
export interface KeyUse {
  readonly observer: Observer;
  /** Keys whose use is to be noted now: of each once a minute, and at most so many at once. */
  due(nowMs: number): readonly string[];
  /** They were noted. */
  noted(keyIds: readonly string[], nowMs: number): void;
}

const everyMs = 60_000;
const dueMax = 100;

/** No key was used yet. A request adds its key to a set, and nothing else is done for it. */
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
