import type { Role } from '../domain/role.ts';
import { createLedgerQueue, type LedgerQueue } from '../ledger/queue.ts';
import type { Clock } from '../lib/clock.ts';
import type { Ids } from '../lib/id.ts';
import type { Store } from '../store/port.ts';
import { storeClock } from '../store/store-clock.ts';
import { createTurns, type Turns } from './turns.ts';

/** What every operation of an operator needs: made once for a command, once for a service. */
export interface AdminContext {
  readonly store: Store;
  /** The store's: days and months are what they are to the service, on whichever machine. */
  readonly clock: Clock;
  /** The process's only one: what operators book is committed with the calls. */
  readonly queue: LedgerQueue;
  readonly ids: Ids;
  /** The process's only ones, for what reads for long. */
  readonly turns: Turns;
  /** Names the projects of apps that have no name of their own for theirs. */
  readonly company: string;
  readonly adminEmail: string | undefined;
  /** Who changes something, for the audit log. */
  readonly actor: string;
  /** Why, in the operator's own words; missing where none was given. */
  readonly reason?: string | undefined;
  /** In which role, where it was the console. The command line has the rights of an operator. */
  readonly role?: Role | undefined;
  /** In which role and by which session or token, where it was the console. */
  readonly via?: string | undefined;
}

/**
 * Makes a context on a store. `clock` is this process's own: it is wrapped here and nowhere else.
 * `queue` is that of the service in this process; a command makes its own.
 */
export function createAdminContext(
  parts: Omit<AdminContext, 'queue' | 'turns'> & Partial<Pick<AdminContext, 'queue'>>,
): AdminContext {
  const { store, ids, company, adminEmail, actor, reason } = parts;
  const clock = storeClock(store, parts.clock);
  const queue = parts.queue ?? createLedgerQueue({ store, clock });
  return { store, clock, queue, ids, turns: createTurns(), company, adminEmail, actor, reason };
}

/** The same, with all that is read on the connection that calls do not wait for. */
export function readingAside(context: AdminContext): AdminContext {
  const { store } = context;
  return { ...context, store: { ...store, read: store.readAside } };
}
