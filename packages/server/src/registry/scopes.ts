import type { BudgetDefinition, ScopeCap, ScopedCall } from '../domain/budget.ts';
import { budgetClosedAt, type Restore } from '../domain/restore.ts';

/** Which caps a call is held to beside its app's own day, in the order of their scopes. */
export type ScopesOf = (call: ScopedCall) => readonly ScopeCap[];

/** Nearly every call is held to none: they share it. */
const none: readonly ScopeCap[] = [];

/** What is held to for a key of an app, but for its users. */
interface Shared {
  day: string;
  scopes: readonly ScopeCap[];
  readonly definitions: readonly BudgetDefinition[];
  readonly users: BudgetDefinition | undefined;
}

/**
 * Reads definitions once; a call then costs one look-up, and its user a scope of its own. Without a
 * restore, none is closed.
 */
export function createScopes(
  definitions: readonly BudgetDefinition[],
  lineageOf: (keyId: string) => string | undefined,
  restore?: Restore,
): ScopesOf {
  if (definitions.length === 0) return () => none;
  const ordered = definitions.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  const known = new Map<string, Map<string | undefined, Shared>>();
  return ({ app, keyId, userId, day }) => {
    const shared = sharedOf(app, keyId);
    if (shared.day !== day) {
      shared.scopes = shared.definitions.map((definition) => capOf(definition, day, restore));
      shared.day = day;
    }
    const { scopes, users } = shared;
    if (users === undefined || userId === undefined) return scopes.length === 0 ? none : scopes;
    return [...scopes, { ...capOf(users, day, restore), scope: `user:${app}:${userId}` }];
  };

  function sharedOf(app: string, keyId: string | undefined): Shared {
    let ofApp = known.get(app);
    if (ofApp === undefined) {
      ofApp = new Map();
      known.set(app, ofApp);
    }
    let shared = ofApp.get(keyId);
    if (shared === undefined) {
      shared = newShared(app, keyId === undefined ? undefined : lineageOf(keyId));
      ofApp.set(keyId, shared);
    }
    return shared;
  }

  function newShared(app: string, lineage: string | undefined): Shared {
    return {
      ...{ day: '', scopes: none },
      definitions: ordered.filter(({ scope, members }) => {
        if (scope === `app:${app}` || scope === `key:${lineage}`) return true;
        return members === 'all' || members?.includes(app) === true;
      }),
      users: ordered.find(({ scope }) => scope === `users:${app}`),
    };
  }
}

/** A month's text is the start of its days', and comes before them. */
function orderOf({ scope, span }: BudgetDefinition): string {
  return `${scope}@${span === 'month' ? 0 : 1}`;
}

function capOf(definition: BudgetDefinition, day: string, restore: Restore | undefined): ScopeCap {
  const { scope, span, capPicoUsd: cap, mode } = definition;
  const period = span === 'day' ? day : day.slice(0, 'YYYY-MM'.length);
  const closedAt = restore && budgetClosedAt(restore, definition, period);
  return { scope, period, cap, mode, closedAt };
}
