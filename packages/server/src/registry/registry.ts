import type { ApiKey, App } from '../domain/registered-app.ts';
import { type Clock, every } from '../lib/clock.ts';
import { createRareErrorWarning } from '../lib/rare-warning.ts';
import { type BudgetsRead, createFollower, type Following } from './follow-changes.ts';
import type { ScopesOf } from './scopes.ts';

/** Apps and keys in memory: no request reads the store for them. */
export interface Registry {
  /** The enabled key of this text; undefined when there is none. */
  key(text: string): ApiKey | undefined;
  /** The key of this text that works no longer; undefined when there is none. */
  closedKey(text: string): ClosedKey | undefined;
  /** The enabled key of this id; undefined when there is none. */
  keyOfId(id: string): ApiKey | undefined;
  app(name: string): App | undefined;
  /** The app of a key's customer, with the models that the key may ask; undefined for none. */
  appOf(key: ApiKey): App | undefined;
  apps(): readonly App[];
  /** How many apps may call. */
  enabledApps(): number;
  /** Which caps a call is held to beside its app's day, by the definitions of `budgets`. */
  scopesOf: ScopesOf;
  /** Whether callers may be told the amounts of a cap, by its scope. */
  isVisible(key: { readonly scope: string }): boolean;
  /** What reservations are decided on now. */
  budgets(): BudgetsRead;
  /** Reads what has changed since the last time; everything where that is not known. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** A key that a person has disabled, or whose time has ended. */
export interface ClosedKey {
  readonly key: ApiKey;
  readonly reason: 'disabled' | 'ended';
}

/** How soon a change by the command line acts, with time to spare for 1 s. */
const pollMs = 500;

/** Reads the registry and keeps it fresh; a store that is away leaves the last state in force. */
export async function openRegistry({
  clock,
  ...following
}: Following & { readonly clock: Clock }): Promise<Registry> {
  const { log } = following;
  const { state, budgets, refresh } = createFollower(following);
  await refresh();
  const warn = createRareErrorWarning({ clock, log }, 'the registry could not be refreshed');
  const polling = every(clock, pollMs, refresh, warn);
  return {
    key: (text) => unlessOver(state().keys.find(text)),
    closedKey,
    keyOfId: (id) => unlessOver(state().keys.ofId(id)),
    app: (name) => state().apps.get(name),
    appOf: (key) => state().appOf(key),
    scopesOf: (call) => state().budgets.scopesOf(call),
    isVisible: ({ scope }) => state().budgets.isVisible(scope),
    budgets,
    apps: () => [...state().apps.values()],
    enabledApps: () => state().enabledApps(),
    refresh,
    stop: () => polling.stop(),
  };

  function closedKey(text: string): ClosedKey | undefined {
    // Both are searched for every text, so the time taken is the same for each reason.
    const disabled = state().disabled.find(text);
    const enabled = state().keys.find(text);
    if (disabled !== undefined) return { key: disabled, reason: 'disabled' };
    const isOver = enabled !== undefined && unlessOver(enabled) === undefined;
    return isOver ? { key: enabled, reason: 'ended' } : undefined;
  }

  function unlessOver(key: ApiKey | undefined): ApiKey | undefined {
    const isOver = key?.expiresAt !== undefined && key.expiresAt <= clock.now();
    return isOver ? undefined : key;
  }
}
