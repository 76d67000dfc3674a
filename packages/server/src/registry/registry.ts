import type { ApiKey, App } from '../domain/registered-app.ts';
import { type Clock, every } from '../lib/clock.ts';
import { createRareErrorWarning } from '../lib/rare-warning.ts';
import { type BudgetsRead, createFollower, type Following } from './follow-changes.ts';
import type { ScopesOf } from './scopes.ts';

/** In memory, so no request reads the store for them. */
export interface Registry {
  /** Enabled keys only. */
  key(text: string): ApiKey | undefined;
  closedKey(text: string): ClosedKey | undefined;
  /** Enabled keys only. */
  keyOfId(id: string): ApiKey | undefined;
  app(name: string): App | undefined;
  appOf(key: ApiKey): App | undefined;
  apps(): readonly App[];
  enabledApps(): number;
  scopesOf: ScopesOf;
  isVisible(key: { readonly scope: string }): boolean;
  budgets(): BudgetsRead;
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Disabled or expired. */
export interface ClosedKey {
  readonly key: ApiKey;
  readonly reason: 'disabled' | 'ended';
}

/** A command-line change must act within 1 s. */
const pollMs = 500;

/** If the store is unavailable, the last state stays in effect. */
export async function openRegistry({
  clock,
  ...following
}: Following & { readonly clock: Clock }): Promise<Registry> {
  const { log } = following;
  const follower = createFollower(following);
  const { refresh } = follower;
  await refresh();
  const warn = createRareErrorWarning(
    { clock, log },
    'apps and keys could not be reloaded from the store',
  );
  const polling = every(clock, pollMs, refresh, warn);
  return {
    key: (text) => unlessOver(follower.state.keys.find(text)),
    closedKey,
    keyOfId: (id) => unlessOver(follower.state.keys.ofId(id)),
    app: (name) => follower.state.apps.get(name),
    appOf: (key) => follower.state.appOf(key),
    scopesOf: (call) => follower.state.budgets.scopesOf(call),
    isVisible: ({ scope }) => follower.state.budgets.isVisible(scope),
    budgets: () => follower.budgets,
    apps: () => [...follower.state.apps.values()],
    enabledApps: () => follower.state.enabledApps(),
    refresh,
    stop: () => polling.stop(),
  };

  function closedKey(text: string): ClosedKey | undefined {
    // Both are searched for every text, so each reason takes the same time.
    const disabled = follower.state.disabled.find(text);
    const enabled = follower.state.keys.find(text);
    if (disabled !== undefined) return { key: disabled, reason: 'disabled' };
    const isOver = enabled !== undefined && unlessOver(enabled) === undefined;
    return isOver ? { key: enabled, reason: 'ended' } : undefined;
  }

  function unlessOver(key: ApiKey | undefined): ApiKey | undefined {
    const isOver = key?.expiresAt !== undefined && key.expiresAt <= clock.now();
    return isOver ? undefined : key;
  }
}
