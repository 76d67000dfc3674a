import { type Clock, every } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/port.ts';
import type { ApiKey, App } from './app.ts';
import { isPossibleKey } from './key-format.ts';
import { createKeyRing } from './key-ring.ts';
import { selectApps, selectBindings, selectKeys, selectRevision } from './queries.ts';

/** Apps and keys in memory: no request reads the store for them. */
export interface Registry {
  /** The enabled key of this text; undefined when there is none. */
  key(text: string): ApiKey | undefined;
  app(name: string): App | undefined;
  apps(): readonly App[];
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
  await refresh();
  const polling = every(clock, pollMs, refresh, (error) =>
    log.warn({ error: String(error) }, 'the registry could not be refreshed'),
  );
  return {
    key: (text) => (isPossibleKey(text) ? keys.find(text) : undefined),
    app: (name) => apps.get(name),
    apps: () => [...apps.values()],
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
    const projectIds = Map.groupBy(bindings, (binding) => binding.app);
    apps = new Map(
      appRows.map((row) => {
        const bound = (projectIds.get(row.name) ?? []).map(
          ({ platform, projectId }) => [platform, projectId] as const,
        );
        return [row.name, { ...row, projectIds: new Map(bound) }];
      }),
    );
    keys = createKeyRing(keyRows);
    revision = current;
  }
}
