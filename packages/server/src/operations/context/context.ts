import type { Role } from '../../domain/role.ts';
import { createLedgerQueue, type LedgerQueue } from '../../ledger/queue.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import type { Store } from '../../store/port.ts';
import { storeClock } from '../../store/store-clock.ts';
import { createTurns, type Turns } from './turns.ts';

export interface AdminContext {
  readonly store: Store;
  /** The store's clock: days and months match the service's on every machine. */
  readonly clock: Clock;
  /** One per process: operators' bookings are committed with the calls. */
  readonly queue: LedgerQueue;
  readonly ids: Ids;
  /** One per process, for long reads. */
  readonly turns: Turns;
  /** Names the projects of apps without a project name. */
  readonly company: string;
  readonly adminEmail: string | undefined;
  /** For the audit log. */
  readonly actor: string;
  /** Why, in the operator's words. */
  readonly reason?: string | undefined;
  /** Only for the console. The command line has an operator's rights. */
  readonly role?: Role | undefined;
  /** Role and session or token, only for the console. */
  readonly via?: string | undefined;
}

/**
 * `clock` is the process's own, and is wrapped only here. `queue` is the service's; a command makes
 * one.
 */
export function createAdminContext(
  parts: Omit<AdminContext, 'queue' | 'turns'> & Partial<Pick<AdminContext, 'queue'>>,
): AdminContext {
  const { store, ids, company, adminEmail, actor, reason } = parts;
  const clock = storeClock(store, parts.clock);
  const queue = parts.queue ?? createLedgerQueue({ store, clock });
  return { store, clock, queue, ids, turns: createTurns(), company, adminEmail, actor, reason };
}

/** All reads use the connection that calls do not wait for. */
export function readingAside(context: AdminContext): AdminContext {
  const { store } = context;
  return { ...context, store: { ...store, read: store.readAside } };
}
