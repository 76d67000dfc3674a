import type { ApiKey, App } from '../domain/registered-app.ts';
import { type Clock, every } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/port.ts';
import {
  type ProjectBinding,
  selectApps,
  selectBindings,
  selectKeys,
  selectRevision,
} from '../store/queries/registry.ts';
import { createKeyRing } from './key-ring.ts';
import { type SharedBinding, sharedBindings, sharedSentence } from './shared-projects.ts';

/** Apps and keys in memory: no request reads the store for them. */
export interface Registry {
  /** The enabled key of this text; undefined when there is none. */
  key(text: string): ApiKey | undefined;
  app(name: string): App | undefined;
  apps(): readonly App[];
  /** How many apps may call. */
  enabledApps(): number;
  /** Reads everything anew when the store's revision has changed. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
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
  let revision = -1n;
  let keys = createKeyRing([]);
  let apps: ReadonlyMap<string, App> = new Map();
  let enabledApps = 0;
  let told: ReadonlySet<string> = new Set();
  await refresh();
  const polling = every(clock, pollMs, refresh, (error) =>
    log.warn({ error: String(error) }, 'the registry could not be refreshed'),
  );
  return {
    key: (text) => keys.find(text),
    app: (name) => apps.get(name),
    apps: () => [...apps.values()],
    enabledApps: () => enabledApps,
    refresh,
    stop: () => polling.stop(),
  };

  async function refresh() {
    // Read before the rows: a change that comes between the two is then read once more, not missed.
    const current = await store.read(selectRevision);
    if (current === revision) return;
    await parts.beforeChange();
    const [appRows, keyRows, bindings] = await Promise.all([
      store.read(selectApps(company)),
      store.read(selectKeys),
      store.read(selectBindings),
    ]);
    const shared = sharedBindings(bindings);
    const projectsOf = createProjectsOf(bindings, shared);
    apps = new Map(appRows.map((row) => [row.name, { ...row, ...projectsOf(row.name) }]));
    enabledApps = appRows.filter(({ isEnabled }) => isEnabled).length;
    tellShared(shared);
    keys = createKeyRing(keyRows);
    revision = current;
  }

  /** Each once, for as long as it lasts: their calls are refused. */
  function tellShared(shared: readonly SharedBinding[]) {
    const sentences = new Set(shared.map(sharedSentence));
    for (const sentence of sentences) {
      if (!told.has(sentence)) log.error({}, sentence);
    }
    told = sentences;
  }
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
