import type { Changes } from '../../books/changes.ts';
import type { LockedKeys } from '../../books/locked-keys.ts';
import { type ScopeKey, scopeKeyFrom, scopeKeyOf, scopeKeysIn } from '../../books/scope.ts';

/**
 * Budgets of this process's calls at their start: the probable rows of a batch. The stored lists
 * are authoritative.
 */
export interface ScopeHints {
  /** Each once, in lock order. */
  keysOf(lockedKeys: Pick<LockedKeys, 'callIds' | 'scopes'>): readonly ScopeKey[];
  note(changes: Pick<Changes, 'holdsStarted' | 'holdsEnded'>): void;
}

/** Drops the oldest above `max` calls. */
export function createScopeHints(max = 10_000): ScopeHints {
  const lists = new Map<string, string>();
  return {
    keysOf({ callIds, scopes: claims }) {
      if (claims.length === 0 && lists.size === 0) return noKeys;
      const keys = new Map<string, ScopeKey>();
      for (const claim of claims) keys.set(scopeKeyOf(claim), claim);
      for (const list of listsOf(callIds)) {
        for (const key of scopeKeysIn(list)) keys.set(key, scopeKeyFrom(key));
      }
      if (keys.size < 2) return [...keys.values()];
      return [...keys].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
    },
    note({ holdsStarted, holdsEnded }) {
      for (const { callId, scopes } of holdsStarted) {
        if (scopes !== undefined) lists.set(callId, scopes);
      }
      if (lists.size === 0) return;
      for (const callId of holdsEnded) lists.delete(callId);
      for (const callId of lists.keys()) {
        if (lists.size <= max) break;
        lists.delete(callId);
      }
    },
  };

  function listsOf(callIds: readonly string[]): ReadonlySet<string | undefined> {
    return new Set(callIds.map((callId) => lists.get(callId)));
  }
}

const noKeys: readonly ScopeKey[] = [];
