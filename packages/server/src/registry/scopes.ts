import type { BudgetDefinition, ScopeCap, ScopedCall } from '../domain/budget.ts';
import { budgetClosedAt, type Restore } from '../domain/restore.ts';

/** Excludes the app's daily budget; in the order of their scopes. */
export type ScopesOf = (call: ScopedCall) => readonly ScopeCap[];

const none: readonly ScopeCap[] = [];

interface Shared {
  day: string;
  scopes: readonly ScopeCap[];
  readonly definitions: readonly BudgetDefinition[];
  readonly users: BudgetDefinition | undefined;
}

export interface Budgets {
  readonly scopesOf: ScopesOf;
  isVisible(scope: string): boolean;
  /** Removes first. Without a restore, no budget is closed. */
  change(change: {
    readonly removed: Iterable<string>;
    readonly defined: readonly BudgetDefinition[];
    readonly restore: Restore | undefined;
  }): void;
}

export function createScopes(
  definitions: readonly BudgetDefinition[],
  rotationChainOf: (keyId: string) => string | undefined,
  restore?: Restore,
): ScopesOf {
  const budgets = createBudgets(rotationChainOf);
  budgets.change({ removed: [], defined: definitions, restore });
  return budgets.scopesOf;
}

/** Between two changes, a call costs one look-up, and its user one more scope. */
export function createBudgets(rotationChainOf: (keyId: string) => string | undefined): Budgets {
  const definitions = new Map<string, Map<string, BudgetDefinition>>();
  const groups = new Set<string>();
  let restore: Restore | undefined;
  let sharedByApp = new Map<string, Map<string | undefined, Shared>>();
  return {
    change({ removed, defined, ...change }) {
      for (const scope of removed) {
        definitions.delete(scope);
        groups.delete(scope);
      }
      for (const definition of defined) {
        const { scope, span, members } = definition;
        definitions.set(scope, (definitions.get(scope) ?? new Map()).set(span, definition));
        if (members !== undefined) groups.add(scope);
      }
      restore = change.restore;
      sharedByApp = new Map();
    },
    isVisible: (scope) => definitionsOf(scope).some((definition) => definition.isVisible),
    scopesOf({ app, keyId, userId, day }) {
      if (definitions.size === 0) return none;
      const shared = sharedOf(app, keyId);
      if (shared.day !== day) {
        shared.scopes = shared.definitions.map((definition) => capOf(definition, day, restore));
        shared.day = day;
      }
      const { scopes, users } = shared;
      if (users === undefined || userId === undefined) return scopes.length === 0 ? none : scopes;
      return [...scopes, { ...capOf(users, day, restore), scope: `user:${app}:${userId}` }];
    },
  };

  function definitionsOf(scope: string): readonly BudgetDefinition[] {
    return [...(definitions.get(scope)?.values() ?? [])];
  }

  function sharedOf(app: string, keyId: string | undefined): Shared {
    let ofApp = sharedByApp.get(app);
    if (ofApp === undefined) {
      ofApp = new Map();
      sharedByApp.set(app, ofApp);
    }
    let shared = ofApp.get(keyId);
    if (shared === undefined) {
      shared = newShared(app, keyId === undefined ? undefined : rotationChainOf(keyId));
      ofApp.set(keyId, shared);
    }
    return shared;
  }

  function newShared(app: string, rotationChain: string | undefined): Shared {
    const ofGroups = [...groups].flatMap(definitionsOf).filter(({ members }) => {
      return members === 'all' || members?.includes(app) === true;
    });
    const all = [
      ...definitionsOf(`app:${app}`),
      ...definitionsOf(`key:${rotationChain}`),
      ...ofGroups,
    ];
    return {
      ...{ day: '', scopes: none },
      definitions: all.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
      users: definitionsOf(`users:${app}`).toSorted((a, b) =>
        orderOf(a) < orderOf(b) ? -1 : 1,
      )[0],
    };
  }
}

/** A month is a prefix of its days, so it sorts first. */
function orderOf({ scope, span }: BudgetDefinition): string {
  return `${scope}@${span === 'month' ? 0 : 1}`;
}

function capOf(definition: BudgetDefinition, day: string, restore: Restore | undefined): ScopeCap {
  const { scope, span, capPicoUsd: cap, mode } = definition;
  const period = span === 'day' ? day : day.slice(0, 'YYYY-MM'.length);
  const closedAt = restore && budgetClosedAt(restore, definition, period);
  return { scope, period, cap, mode, closedAt };
}
