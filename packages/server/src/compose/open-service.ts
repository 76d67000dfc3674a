import type { Config } from '../domain/config.ts';
import type { Clock } from '../lib/clock.ts';
import { within } from '../lib/deadline.ts';
import type { Ids } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import type { MissingAppsPolicy } from '../operations/apps/file-plan.ts';
import { beginServing } from '../operations/config/begin-serving.ts';
import { type AdminContext, createAdminContext } from '../operations/context/context.ts';
import { warnOfClock } from '../operations/health/warn-of-clock.ts';
import type { Store, StoreError } from '../store/port/port.ts';
import { readVersion } from '../version.ts';
import { composeService, type Service, type ServiceParts } from './compose.ts';
import { lockStore, openStore } from './open-store.ts';
import type { ThreadParts } from './parts/thread-parts.ts';
import { readyStore } from './ready-store.ts';
import type { FurtherThreads } from './threads/threads.ts';

export interface OpenService extends Service {
  readonly store: Store;
  /** The threads after the first one, if the configuration has any. */
  readonly threads: FurtherThreads | undefined;
  readonly admin: AdminContext;
  /** Call it after a successful startup: a failed one must log only its cause. */
  readonly logCreated: () => void;
  /**
   * Call after {@link Service.stop}. False when the store did not close in time: a lost database
   * connection may stay open for minutes.
   */
  close(): Promise<boolean>;
}

/** Contains all inputs: the process and the machine are not read. */
export interface OpenParts
  extends Pick<
    ServiceParts,
    'cpuMsOf' | 'processor' | 'exporterWaits' | 'simulator' | 'hasConsole' | 'threads'
  > {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly version?: string;
  readonly actor: string;
  /** The store is lost for good: the process must end. */
  readonly onDeath: (error: StoreError) => void;
  /** Policy for apps in use that the file lacks; default `refuse`. */
  readonly missing?: MissingAppsPolicy;
  /** Allows an empty SQLite store even when one seems lost. */
  readonly isNew?: boolean;
  /** The caller opens and closes it; otherwise the configured store is opened and locked. */
  readonly store?: Store;
  /** Creates the threads after the first one; called only if the configuration has any. */
  readonly openThreads?: () => Promise<FurtherThreads>;
  /** Runs before the service reads the store, when the apps already match the file. */
  readonly prepare?: (admin: AdminContext) => Promise<void>;
}

export const closeMs = 1_000;

/**
 * Resolves when the service is ready for requests. Throws a StoreError, an AdminError or a
 * CompositionError that names the remedy, leaving nothing open.
 */
export async function openService(config: Config, parts: OpenParts): Promise<OpenService> {
  const { clock, ids, log, actor, missing = 'refuse', version = readVersion() } = parts;
  const { store, close } = await openOrShare(config, parts);
  try {
    const { company, adminEmail } = config;
    const admin = createAdminContext({ store, clock, ids, company, adminEmail, actor });
    // Must come first: the apps of the file are written with this clock.
    await warnOfClock(admin, log);
    const ready = await readyStore(admin, config, log, missing);
    await parts.prepare?.(admin);
    await beginServing(admin, log);
    const threads = config.threads > 1 ? await parts.openThreads?.() : undefined;
    const first: ThreadParts | undefined = threads && { ...threads.first, otherThreads: threads };
    const service = await composeService({
      ...{ ...parts, config, store, ready, version, threads: first ?? parts.threads },
    });
    const { queue } = service;
    const { logCreated } = ready;
    return { ...service, store, threads, admin: { ...admin, queue }, logCreated, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A store that the caller passed in stays open. */
async function openOrShare(config: Config, parts: OpenParts) {
  const { clock, log, onDeath, store: shared, isNew } = parts;
  if (shared !== undefined) return { store: shared, close: async () => true };
  const lock = lockStore(config.store, { log, isNew });
  try {
    const { store: target, keyRing: ring, threads } = config;
    const store = await openStore({ target, ring, onDeath, log, isNew, isShared: threads > 1 });
    return { store, close };

    async function close(): Promise<boolean> {
      try {
        return await within(clock, closeMs, leave(store, log));
      } finally {
        lock.close();
      }
    }
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** The next startup must see that nothing was lost. */
async function leave(store: Store, log: Log): Promise<void> {
  await store.epochs
    ?.end()
    .catch((error: unknown) =>
      log.warn({ error: String(error) }, 'could not mark the store as cleanly closed'),
    );
  await store.close();
}
