import assert from 'node:assert';
import { type BudgetScope, type ScopeKey, scopeKeyOf, scopeKeysIn } from './scope.ts';

export interface ClaimedScopes {
  readonly rows: readonly BudgetScope[];
  readonly list: string | undefined;
}

const noRows: readonly BudgetScope[] = [];
const noClaims: ClaimedScopes = { rows: noRows, list: undefined };

/** Calls mostly share theirs: each list is looked up once a batch. */
export function createScopeRows(rows: readonly BudgetScope[]) {
  const byKey = new Map(rows.map((row) => [scopeKeyOf(row), row]));
  const byClaims = new Map<readonly ScopeKey[], ClaimedScopes>();
  const byList = new Map<string, readonly BudgetScope[]>();
  const changed = new Set<BudgetScope>();
  return {
    /** In the order of their keys. Throws where one is missing. */
    claimed(claims: readonly ScopeKey[]): ClaimedScopes {
      if (claims.length === 0) return noClaims;
      return byClaims.get(claims) ?? keep(byClaims, claims, claim(claims));
    },
    /** Throws where one is missing. */
    listed(list: string | undefined): readonly BudgetScope[] {
      if (list === undefined) return noRows;
      return byList.get(list) ?? keep(byList, list, scopeKeysIn(list).map(rowOf));
    },
    /** Throws where it is missing. */
    of: (key: ScopeKey): BudgetScope => rowOf(scopeKeyOf(key)),
    put: (row: BudgetScope) => void changed.add(row),
    changed: () => [...changed],
  };

  function claim(claims: readonly ScopeKey[]): ClaimedScopes {
    const keys = claims.map(scopeKeyOf).sort();
    assert(new Set(keys).size === keys.length, 'a call claims a budget twice');
    return { rows: keys.map(rowOf), list: JSON.stringify(keys) };
  }

  function rowOf(key: string): BudgetScope {
    const row = byKey.get(key);
    assert(row !== undefined, `no budget row for ${key}`);
    return row;
  }
}

function keep<Key, Value>(known: Map<Key, Value>, key: Key, value: Value): Value {
  known.set(key, value);
  return value;
}
