import type { ApiKey, App } from '../domain/registered-app.ts';
import type { Restore } from '../domain/restore.ts';
import type { BudgetRow } from '../store/queries/budgets.ts';
import type { AppRow, ProjectBinding } from '../store/queries/registry.ts';
import type { RegistryChanges } from '../store/queries/registry-changes.ts';
import type { RegisteredKey } from '../store/queries/registry-rows.ts';
import { createKeyRing, isSameDigest, type KeyRing } from './key-ring.ts';
import { type Budgets, createBudgets } from './scopes.ts';
import { sharedBindings, sharedSentence } from './shared-projects.ts';

export interface RowsRead {
  readonly apps: readonly AppRow[];
  readonly keys: readonly RegisteredKey[];
  readonly bindings: readonly ProjectBinding[];
  readonly budgets: readonly BudgetRow[];
  readonly restore: Restore | undefined;
}

export interface RegistryState {
  readonly keys: KeyRing;
  /** Used only for the reason of a rejection. */
  readonly disabled: KeyRing;
  readonly apps: ReadonlyMap<string, App>;
  readonly budgets: Pick<Budgets, 'scopesOf' | 'isVisible'>;
  appOf(key: ApiKey): App | undefined;
  enabledApps(): number;
  sharedSentences(): ReadonlySet<string>;
  /** A changed row missing from `rows` no longer exists. Runs in one turn. */
  change(changed: RegistryChanges['ids'], rows: RowsRead): void;
}

export const nothingChanged: RegistryChanges['ids'] = {
  ...{ app: new Set(), key: new Set(), binding: new Set(), budget: new Set() },
};

export function createRegistryState(): RegistryState {
  const keys = createKeyRing([]);
  const disabled = createKeyRing([], isSameDigest, ({ isEnabled }) => !isEnabled);
  const rotationChainOf = (id: string) => (keys.ofId(id) ?? disabled.ofId(id))?.lineage;
  const budgets = createBudgets(rotationChainOf);
  const projects = createBoundProjects();
  const apps = new Map<string, App>();
  const sharing = new Map<string, App>();
  const narrow = createNarrowApp();
  let enabledApps = 0;
  return {
    ...{ keys, disabled, apps, budgets },
    appOf(key) {
      const app = apps.get(key.customerId);
      return app && narrow(key, app);
    },
    enabledApps: () => enabledApps,
    sharedSentences: () =>
      new Set([...sharing.values()].flatMap((app) => [...app.sharedProjects.values()])),
    change(changed, rows) {
      changeKeys(changed.key, rows.keys);
      const rebound = projects.change(changed.binding, rows.bindings);
      changeApps(changed.app, rows.apps, rebound);
      budgets.change({ removed: changed.budget, defined: rows.budgets, restore: rows.restore });
    },
  };

  function changeKeys(changed: Iterable<string>, rows: readonly RegisteredKey[]): void {
    for (const id of changed) {
      keys.remove(id);
      disabled.remove(id);
    }
    for (const row of rows) {
      keys.put(row);
      disabled.put(row);
    }
  }

  function changeApps(
    changed: ReadonlySet<string>,
    rows: readonly AppRow[],
    rebound: ReadonlySet<string>,
  ): void {
    const read = new Map(rows.map((row) => [row.name, row]));
    for (const name of new Set([...changed, ...rebound, ...read.keys()])) {
      const before = apps.get(name);
      const row = read.get(name) ?? (changed.has(name) ? undefined : before);
      putApp(name, before, row && { ...row, ...projects.of(name) });
    }
  }

  function putApp(name: string, before: App | undefined, app: App | undefined): void {
    enabledApps += Number(app?.isEnabled === true) - Number(before?.isEnabled === true);
    if (app === undefined) apps.delete(name);
    else apps.set(name, app);
    if (app === undefined || app.sharedProjects.size === 0) sharing.delete(name);
    else sharing.set(name, app);
  }
}

interface BoundProjects {
  /** Removes all bindings of some apps first. Returns the apps whose projects may change. */
  change(changedApps: Iterable<string>, bindings: readonly ProjectBinding[]): ReadonlySet<string>;
  of(app: string): Pick<App, 'projectIds' | 'sharedProjects'>;
}

function createBoundProjects(): BoundProjects {
  const bound = new Map<string, Map<string, ProjectBinding>>();
  const appsOf = new Map<string, Set<string>>();
  return {
    change(changedApps, bindings) {
      const projects = new Set<string>();
      const apps = new Set<string>(changedApps);
      for (const app of apps) {
        for (const binding of bound.get(app)?.values() ?? []) projects.add(binding.projectId);
      }
      for (const app of apps) removeBindings(app);
      for (const binding of bindings) {
        const { app, platform, projectId } = binding;
        const before = bound.get(app)?.get(platform)?.projectId;
        if (before !== undefined) projects.add(before);
        projects.add(projectId);
        apps.add(app);
        bind(binding);
      }
      for (const id of projects) for (const app of appsOf.get(id) ?? []) apps.add(app);
      return apps;
    },
    of(app) {
      const own = [...(bound.get(app)?.values() ?? [])];
      const alike = new Set(own.flatMap(({ projectId }) => [...(appsOf.get(projectId) ?? [])]));
      const others = [...alike].sort().flatMap((name) => [...(bound.get(name)?.values() ?? [])]);
      const shared = sharedBindings(others).filter((binding) => binding.app === app);
      const sharedProjects = new Map(
        shared.map((binding) => [binding.platform, sharedSentence(binding)]),
      );
      const usable = own.filter(({ platform }) => !sharedProjects.has(platform));
      const projectIds = new Map(usable.map(({ platform, projectId }) => [platform, projectId]));
      return { projectIds, sharedProjects };
    },
  };

  function bind(binding: ProjectBinding): void {
    const { app, platform } = binding;
    const bindings = [...(bound.get(app)?.values() ?? [])];
    const others = bindings.filter((other) => other.platform !== platform);
    removeBindings(app);
    bound.set(app, new Map([...others, binding].map((each) => [each.platform, each])));
    for (const { projectId } of [...others, binding]) {
      const apps = appsOf.get(projectId) ?? new Set();
      appsOf.set(projectId, apps.add(app));
    }
  }

  function removeBindings(app: string): void {
    for (const { projectId } of bound.get(app)?.values() ?? []) {
      const apps = appsOf.get(projectId);
      apps?.delete(app);
      if (apps?.size === 0) appsOf.delete(projectId);
    }
    bound.delete(app);
  }
}

type NarrowApp = (key: ApiKey, app: App) => App;

/** Narrows once, at a key's first call; a change replaces both objects. */
function createNarrowApp(): NarrowApp {
  const narrowedApps = new WeakMap<App, WeakMap<ApiKey, App>>();
  return (key, app) => {
    if (key.models === undefined) return app;
    const ofApp = narrowedApps.get(app) ?? new WeakMap<ApiKey, App>();
    narrowedApps.set(app, ofApp);
    const narrow = ofApp.get(key) ?? narrowed(key.models, app);
    ofApp.set(key, narrow);
    return narrow;
  };
}

function narrowed(models: ReadonlySet<string>, app: App): App {
  const both = [...models].filter((model) => app.models?.has(model) ?? true);
  return { ...app, models: new Set(both) };
}
