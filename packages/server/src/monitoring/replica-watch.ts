import { ownerDeadMs } from '../ledger/core/owner.ts';
import { selectOwners } from '../ledger/owners.ts';
import { type Clock, every } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/port.ts';

/** How often the other replicas are looked at. */
const watchMs = 10_000;

/** Looks which replicas serve the same store, and whether their configurations mean the same. */
export interface ReplicaWatch {
  /** As they were when last looked at, this process among them. */
  state(): { readonly replicas: number; readonly others: number };
  stop(): Promise<void>;
}

/** What a watch is made of. */
export interface ReplicaWatchParts {
  readonly store: Pick<Store, 'read' | 'kind'>;
  /** The store's clock, by which replicas were seen. */
  readonly clock: Clock;
  readonly log: Log;
  readonly owner: string;
  readonly configHash: string;
}

/**
 * Watches from now on. An embedded store has one service, so there is nobody to look for. A
 * difference is told once, when it begins and when it ends: a rolling change makes one as well.
 */
export function createReplicaWatch(parts: ReplicaWatchParts): ReplicaWatch {
  const { store, clock, log, owner, configHash } = parts;
  let state = { replicas: 1, others: 0 };
  if (store.kind === 'sqlite') return { state: () => state, stop: async () => undefined };
  const watching = every(clock, watchMs, look, (error) =>
    log.warn({ error: String(error) }, 'the other replicas could not be looked at'),
  );
  return { state: () => state, stop: () => watching.stop() };

  async function look() {
    const owners = await store.read(selectOwners(clock.now() - ownerDeadMs));
    const alive = owners.filter(({ id }) => id !== owner);
    const different = alive.filter((other) => other.configHash !== configHash);
    const before = state.others;
    state = { replicas: alive.length + 1, others: different.length };
    if (different.length > 0 && before === 0) {
      const replicas = different.map(({ id }) => id);
      log.warn({ replicas }, 'replicas of this store have another configuration');
    }
    if (different.length === 0 && before > 0) {
      log.info({}, 'the replicas of this store have the same configuration again');
    }
  }
}
