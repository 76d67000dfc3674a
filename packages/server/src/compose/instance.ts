import type { Config } from '../domain/config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/port/port.ts';
import { keyClock, storeClock } from '../store/port/store-clock.ts';
import { noOtherThreads, type OtherThreads } from './parts/other-threads.ts';
import { createOwnCounts, type ProcessCounts } from './parts/process-counts.ts';
import type { ProcessEvents, ThreadParts } from './parts/thread-parts.ts';

/** The facts and tools that all parts of one running service share. */
export interface Instance extends Omit<InstanceParts, 'threads'> {
  readonly thread: number;
  readonly counts: ProcessCounts;
  readonly otherThreads: OtherThreads;
  readonly processEvents: ProcessEvents | undefined;
  /** The store's time, so all instances share one day. */
  readonly clock: Clock;
  /** This process's time, compared with the store's. */
  readonly processClock: Clock;
  /** The clock by which idempotency keys expire. */
  readonly keyClock: Pick<Clock, 'now'>;
  readonly instanceId: string;
  /** Use `config` only for keys that a reload cannot change. */
  readonly live: LiveConfig;
}

/** `clock` is this process's clock. */
export interface InstanceParts {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly version: string;
  readonly threads?: ThreadParts | undefined;
}

export function createInstance({
  config,
  store,
  clock,
  ids,
  log,
  version,
  threads = { thread: 1, counts: createOwnCounts() },
}: InstanceParts): Instance {
  const { thread, counts, otherThreads = noOtherThreads, processEvents } = threads;
  return {
    ...{ thread, counts, otherThreads, processEvents },
    config,
    store,
    ids,
    log,
    version,
    clock: storeClock(store, clock),
    processClock: clock,
    keyClock: keyClock(store, clock),
    instanceId: ids.next('instance'),
    live: createLiveConfig(config),
  };
}

interface LiveConfig {
  readonly config: Config;
  replace(next: Config): void;
}

function createLiveConfig(first: Config): LiveConfig {
  const live = {
    config: first,
    replace(next: Config) {
      live.config = next;
    },
  };
  return live;
}
