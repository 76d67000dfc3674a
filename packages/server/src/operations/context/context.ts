import type { Role } from '../../domain/role.ts';
import type { LedgerQueue } from '../../ledger/queue.ts';
import { createLedgerQueue } from '../../ledger/queue.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/id.ts';
import type { Store } from '../../store/port/port.ts';
import { storeClock } from '../../store/port/store-clock.ts';
import { AdminError } from './admin-error.ts';

export interface AdminContext {
  readonly store: Store;
  /** The store's clock: days and months match the service's on every machine. */
  readonly clock: Clock;
  /** One per process: operators' bookings are committed together with calls. */
  readonly queue: LedgerQueue;
  readonly ids: Ids;
  readonly reportQueue: ReportQueue;
  /** Part of the project names of apps without a project name. */
  readonly company: string;
  readonly adminEmail: string | undefined;
  readonly actor: string;
  readonly reason?: string | undefined;
  /** Only for the console. The command line has an operator's rights. */
  readonly role?: Role | undefined;
  /** Role with session or token, only for the console. */
  readonly via?: string | undefined;
}

/**
 * `clock` is the process's clock, which is wrapped only here. `queue` is the service's; a command
 * creates one.
 */
export function createAdminContext(
  parts: Omit<AdminContext, 'queue' | 'reportQueue'> & Partial<Pick<AdminContext, 'queue'>>,
): AdminContext {
  const { store, ids, company, adminEmail, actor, reason } = parts;
  const clock = storeClock(store, parts.clock);
  const queue = parts.queue ?? createLedgerQueue({ store, clock });
  return {
    store,
    clock,
    queue,
    ids,
    reportQueue: createReportQueue(),
    company,
    adminEmail,
    actor,
    reason,
  };
}

/** All reads use the connection that calls do not wait for. */
export function withOperatorReads(context: AdminContext): AdminContext {
  const { store } = context;
  return { ...context, store: { ...store, read: store.readForOperator } };
}

/** Runs operators' long reads one after the other. */
interface ReportQueue {
  /** `onWait` gets the number of earlier reads. Throws an AdminError where too many wait. */
  run<T>(work: () => Promise<T>, onWait?: (before: number) => void): Promise<T>;
}

const waitingMax = 5;

/** Two concurrent reads would take twice the processor time from calls, for as long. */
export function createReportQueue(): ReportQueue {
  let last: Promise<unknown> = Promise.resolve();
  let queued = 0;
  return {
    async run(work, onWait = () => undefined) {
      if (queued > waitingMax) {
        throw new AdminError(
          `a report is running and ${waitingMax} more are queued; try again later`,
        );
      }
      if (queued > 0) onWait(queued);
      queued += 1;
      const mine = last.then(work).finally(() => {
        queued -= 1;
      });
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}
