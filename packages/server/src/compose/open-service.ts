import type { Config } from '../domain/config.ts';
import type { Clock } from '../lib/clock.ts';
import { within } from '../lib/deadline.ts';
import type { Ids } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import type { MissingAppsPolicy } from '../operations/apps/file-plan.ts';
import { beginServing } from '../operations/config/begin-serving.ts';
import { type AdminContext, createAdminContext } from '../operations/context/context.ts';
import { warnOfClock } from '../operations/health/warn-of-clock.ts';
import { lockStore, openStore } from '../store/open.ts';
import type { Store, StoreError } from '../store/port/port.ts';
import { readVersion } from '../version.ts';
import { composeService, type Service, type ServiceParts } from './compose.ts';
import { readyStore } from './ready-store.ts';
import type { FurtherThreads } from './threads/threads.ts';

/** A service with everything that it stands on, but for sockets and the process around it. */
export interface OpenService extends Service {
  readonly store: Store;
  /** Those beside the first one, where the configuration wants any. */
  readonly threads: FurtherThreads | undefined;
  /** Operators' commands on its store. */
  readonly admin: AdminContext;
  /** Logs the apps that the file has created: late, so that a failed start says one thing, why. */
  readonly logCreated: () => void;
  /**
   * Leaves the store in order and closes it, after {@link Service.stop}. False when it did not
   * close in time: a connection to a database that is away may stay open for minutes.
   */
  close(): Promise<boolean>;
}

/** What a service is opened with; nothing of it is read from the process or the machine. */
export interface OpenParts
  extends Pick<
    ServiceParts,
    'cpuMsOf' | 'processor' | 'exporterWaits' | 'simulator' | 'hasConsole'
  > {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** This package's, unless told. */
  readonly version?: string;
  /** Who opens it, for the audit log. */
  readonly actor: string;
  /** Called when the store is lost for good: the process must end. */
  readonly onDeath: (error: StoreError) => void;
  /** What becomes of apps in use that the file does not have any more; `refuse` unless told. */
  readonly missing?: MissingAppsPolicy;
  /** Whether an operator wants an empty SQLite store, even where one seems to be lost. */
  readonly isNew?: boolean;
  /** A store that the caller has opened, and closes; else the configured one, locked for it. */
  readonly store?: Store;
  /** Makes the threads beside the first one; called only where the configuration wants any. */
  readonly openThreads?: () => Promise<FurtherThreads>;
  /** What is done to the store before the service reads it: its apps are what the file says. */
  readonly prepare?: (admin: AdminContext) => Promise<void>;
}

/** How long a store that is closed is waited for. */
export const closeMs = 1_000;

/**
 * Opens a service: its store with the schema up to date, the apps of the file, the parts. Ready for
 * requests when it resolves. Throws a StoreError, an AdminError or a CompositionError that says
 * what to do, with nothing left open.
 */
export async function openService(config: Config, parts: OpenParts): Promise<OpenService> {
  const { clock, ids, log, actor, missing = 'refuse', version = readVersion() } = parts;
  const { store, close } = await openOrShare(config, parts);
  try {
    const { company, adminEmail } = config;
    const admin = createAdminContext({ store, clock, ids, company, adminEmail, actor });
    // First: the apps of the file are written with the clock that is in question.
    await warnOfClock(admin, log);
    const ready = await readyStore(admin, config, log, missing);
    await parts.prepare?.(admin);
    await beginServing(admin, log);
    const threads = config.threads > 1 ? await parts.openThreads?.() : undefined;
    const first = threads && { ...threads.first, siblings: threads };
    const service = await composeService({
      ...{ ...parts, config, store, ready, version, threads: first },
    });
    const { queue } = service;
    const { logCreated } = ready;
    return { ...service, store, threads, admin: { ...admin, queue }, logCreated, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A store, and what closes it; one that was passed in stays open. */
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

/** The next start sees that nothing was lost. */
async function leave(store: Store, log: Log): Promise<void> {
  await store.epochs
    ?.end()
    .catch((error: unknown) =>
      log.warn({ error: String(error) }, 'the store was not left in order'),
    );
  await store.close();
}
