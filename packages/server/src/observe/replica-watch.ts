import { instanceDeadMs } from '../books/instance.ts';
import { type Clock, every } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createRareErrorWarning } from '../lib/rare-warning.ts';
import type { Store } from '../store/port/port.ts';
import { selectInstances, shortHash } from '../store/queries/instances.ts';

const watchMs = 10_000;

export interface ReplicaWatch {
  state(): ReplicaState;
  stop(): Promise<void>;
}

export interface ReplicaState {
  readonly replicas: number;
  readonly others: number;
  /** Apps whose last change in the store came from another file. */
  readonly unlikeFile: readonly string[];
}

export interface ReplicaWatchParts {
  readonly store: Pick<Store, 'read' | 'kind'>;
  /** The store's clock, which dates the replicas' heartbeats. */
  readonly clock: Clock;
  readonly log: Log;
  readonly thread: number;
  readonly own: () => readonly string[];
  /** The active configuration's hash: a reload changes it. */
  readonly configHash: string;
  /** Apps whose last change in the store came from another file. */
  readonly appsUnlikeFile: () => Promise<readonly string[]>;
}

/**
 * Another file's settings outlive its service, so they are logged too. A rolling change also logs a
 * difference. Does nothing on an embedded store, which has only one process.
 */
export function createReplicaWatch(parts: ReplicaWatchParts): ReplicaWatch {
  const { store, clock, log, thread } = parts;
  let state: ReplicaState = { replicas: 1, others: 0, unlikeFile: [] };
  if (store.kind === 'sqlite' || thread > 1)
    return { state: () => state, stop: async () => undefined };
  const warn = createRareErrorWarning({ clock, log }, 'could not read the state of other replicas');
  const watching = every(clock, watchMs, compare, warn);
  return { state: () => state, stop: () => watching.stop() };

  async function compare() {
    const instances = await store.read(selectInstances(clock.now() - instanceDeadMs));
    const unlikeFile = await parts.appsUnlikeFile();
    const own = parts.own();
    const alive = instances.filter(({ id }) => !own.includes(id));
    const different = alive.filter((other) => other.configHash !== parts.configHash);
    const before = state;
    state = { replicas: alive.length + 1, others: different.length, unlikeFile };
    if (different.length > 0 && before.others === 0) {
      const replicas = different.map((other) => ({
        id: other.id,
        config: shortHash(other.configHash),
      }));
      const facts = { config: shortHash(parts.configHash), replicas, apps: unlikeFile };
      log.warn(facts, 'replicas run different configurations');
    }
    if (different.length === 0 && before.others > 0) {
      log.info({}, 'all replicas run the same configuration again');
    }
    logStaleValues(different.length, before);
  }

  /** Runs once the files agree again; before that, the difference itself is logged. */
  function logStaleValues(others: number, before: ReplicaState) {
    const { unlikeFile } = state;
    if (others > 0 || unlikeFile.length === 0) return;
    const isNew = before.others > 0 || unlikeFile.join() !== before.unlikeFile.join();
    if (!isNew) return;
    log.warn(
      { config: shortHash(parts.configHash), apps: unlikeFile },
      'apps in the store still have settings from a configuration that no running replica uses; restart a replica to apply the current configuration',
    );
  }
}
