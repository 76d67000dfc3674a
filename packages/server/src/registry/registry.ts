import type { ApiKey, App } from '../domain/registered-app.ts';
import type { Restore } from '../domain/restore.ts';
import { type Clock, every } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/port.ts';
import { selectBudgets, selectBudgetsRevision } from '../store/queries/budgets.ts';
import {
  type ProjectBinding,
  selectApps,
  selectBindings,
  selectKeys,
  selectRevision,
} from '../store/queries/registry.ts';
import { selectRestore } from '../store/queries/restores.ts';
import { createKeyRing, isSameDigest, type KeyRing } from './key-ring.ts';
import { createScopes, type ScopesOf } from './scopes.ts';
import { type SharedBinding, sharedBindings, sharedSentence } from './shared-projects.ts';

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
  /** Reads everything anew when the store's revision has changed. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** A key that a person has disabled, or whose time has ended. */
export interface ClosedKey {
  readonly key: ApiKey;
  readonly reason: 'disabled' | 'ended';
}

/** Definitions of budgets as they were read. */
export interface BudgetsRead {
  readonly revision: bigint;
  /** The last restore of the store, by which budgets are closed; undefined for none. */
  readonly restore: Restore | undefined;
}

/** How soon a change by the command line acts, with time to spare for 1 s. */
const pollMs = 500;

/** Reads the registry and keeps it fresh; a store that is away leaves the last state in force. */
export async function openRegistry(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly company: string;
  /** Runs before a changed state is read: what it writes is part of that state. */
  readonly beforeChange: () => Promise<void>;
}): Promise<Registry> {
  const { store, clock, log, company } = parts;
  let state = nothing;
  let told: ReadonlySet<string> = new Set();
  const refresh = shareReadings(async () => {
    // Read before the rows: a change that comes between the two is then read once more, not missed.
    const revision = await store.read(selectRevision);
    if (revision === state.revision) return;
    await parts.beforeChange();
    state = await readState(store, company, revision);
    told = tellShared(log, state.shared, told);
  });
  await refresh();
  const polling = every(clock, pollMs, refresh, (error) =>
    log.warn({ error: String(error) }, 'the registry could not be refreshed'),
  );
  return {
    key: (text) => unlessOver(state.keys.find(text)),
    closedKey,
    keyOfId: (id) => unlessOver(state.keys.ofId(id)),
    app: (name) => state.apps.get(name),
    appOf: ({ id, customerId }) => state.narrowed.get(id) ?? state.apps.get(customerId),
    scopesOf: (call) => state.scopesOf(call),
    isVisible: ({ scope }) => state.visible.has(scope),
    budgets: () => state.budgets,
    apps: () => [...state.apps.values()],
    enabledApps: () => state.enabledApps,
    refresh,
    stop: () => polling.stop(),
  };

  function closedKey(text: string): ClosedKey | undefined {
    // Both are searched for every text, so the time taken is the same for each reason.
    const disabled = state.disabled.find(text);
    const enabled = state.keys.find(text);
    if (disabled !== undefined) return { key: disabled, reason: 'disabled' };
    const isOver = enabled !== undefined && unlessOver(enabled) === undefined;
    return isOver ? { key: enabled, reason: 'ended' } : undefined;
  }

  function unlessOver(key: ApiKey | undefined): ApiKey | undefined {
    const isOver = key?.expiresAt !== undefined && key.expiresAt <= clock.now();
    return isOver ? undefined : key;
  }
}

/** All that is read at once. */
interface State {
  readonly revision: bigint;
  readonly keys: KeyRing;
  /** Only for the reason of a rejection. */
  readonly disabled: KeyRing;
  readonly apps: ReadonlyMap<string, App>;
  /** The apps of keys that may ask fewer models, by the keys' ids. */
  readonly narrowed: ReadonlyMap<string, App>;
  readonly enabledApps: number;
  readonly budgets: BudgetsRead;
  readonly scopesOf: ScopesOf;
  /** The scopes whose amounts callers may be told: one that is not known here is not. */
  readonly visible: ReadonlySet<string>;
  readonly shared: readonly SharedBinding[];
}

const nothing: State = {
  ...{
    revision: -1n,
    keys: createKeyRing([]),
    disabled: createKeyRing([]),
    apps: new Map(),
    narrowed: new Map(),
  },
  ...{ enabledApps: 0, shared: [], visible: new Set() },
  budgets: { revision: 0n, restore: undefined },
  scopesOf: createScopes([], () => undefined),
};

async function readState(store: Store, company: string, revision: bigint): Promise<State> {
  // Before the rows, as above: what is decided on newer ones is decided anew.
  const budgetsRevision = await store.read(selectBudgetsRevision);
  const [appRows, keyRows, bindings, budgets, restore] = await Promise.all([
    store.read(selectApps(company)),
    store.read(selectKeys),
    store.read(selectBindings),
    store.read(selectBudgets),
    store.read(selectRestore),
  ]);
  const shared = sharedBindings(bindings);
  const projectsOf = createProjectsOf(bindings, shared);
  const apps = new Map(appRows.map((row) => [row.name, { ...row, ...projectsOf(row.name) }]));
  const lineages = new Map(keyRows.map(({ id, lineage }) => [id, lineage]));
  return {
    ...{ revision, apps, shared },
    budgets: { revision: budgetsRevision, restore },
    keys: createKeyRing(keyRows),
    disabled: createKeyRing(keyRows, isSameDigest, ({ isEnabled }) => !isEnabled),
    narrowed: narrowedApps(keyRows, apps),
    enabledApps: appRows.filter(({ isEnabled }) => isEnabled).length,
    scopesOf: createScopes(budgets, (keyId) => lineages.get(keyId), restore),
    visible: new Set(budgets.filter((each) => each.isVisible).map(({ scope }) => scope)),
  };
}

/** Those who ask while one reads share the reading that begins after it. */
function shareReadings(read: () => Promise<void>): () => Promise<void> {
  let reading = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        reading = read();
        return reading;
      });
    return next;
  };
}

/** Each once, for as long as it lasts: their calls are refused. Answers what has been told. */
function tellShared(
  log: Log,
  shared: readonly SharedBinding[],
  told: ReadonlySet<string>,
): ReadonlySet<string> {
  const sentences = new Set(shared.map(sharedSentence));
  for (const sentence of sentences) {
    if (!told.has(sentence)) log.error({}, sentence);
  }
  return sentences;
}

/** The apps as keys see them that may ask fewer models, by the ids of these keys. */
function narrowedApps(
  keys: readonly ApiKey[],
  apps: ReadonlyMap<string, App>,
): ReadonlyMap<string, App> {
  return new Map(
    keys.flatMap(({ id, customerId, models }) => {
      const app = apps.get(customerId);
      if (app === undefined || models === undefined) return [];
      const both = [...models].filter((model) => app.models?.has(model) ?? true);
      return [[id, { ...app, models: new Set(both) }] as const];
    }),
  );
}

/** What apps are billed to, by their names. */
function createProjectsOf(bindings: readonly ProjectBinding[], shared: readonly SharedBinding[]) {
  const byApp = Map.groupBy(bindings, ({ app }) => app);
  const sharedByApp = Map.groupBy(shared, ({ app }) => app);
  return (name: string): Pick<App, 'projectIds' | 'sharedProjects'> => {
    const sharedProjects = new Map(
      sharedByApp.get(name)?.map((binding) => [binding.platform, sharedSentence(binding)]),
    );
    const own = (byApp.get(name) ?? []).filter(({ platform }) => !sharedProjects.has(platform));
    const projectIds = new Map(own.map(({ platform, projectId }) => [platform, projectId]));
    return { projectIds, sharedProjects };
  };
}
