import { type Clock, every } from '../lib/clock.ts';
import { madeAt } from '../lib/id.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/port.ts';
import { holdLease, leaveLease } from '../store/queries/leases.ts';
import { rollUp } from './rollups.ts';

/** Keeps the sums of reports up to date while a process serves. */
export interface Roller {
  /** Up to which moment calls are in the sums, as this process last saw; undefined before. */
  rolledUntilMs(): number | undefined;
  /** Never rejects; a step that is under way is waited for. */
  stop(): Promise<void>;
}

/** How often it is looked whether an hour is over. */
const roundMs = 60_000;
const leaseMs = 3 * roundMs;
const leaseName = 'rollups';

/** Starts to look every minute; of several processes, one does the work. */
export function startRoller(parts: {
  readonly store: Store;
  /** The store's time. */
  readonly clock: Clock;
  readonly log: Log;
  readonly instanceId: string;
}): Roller {
  const { store, clock, log, instanceId: holder } = parts;
  const isSole = store.kind === 'sqlite';
  let rolledUntilMs: number | undefined;
  let isOver = false;
  let isLeased = false;
  const warn = (error: unknown) =>
    log.warn({ error: String(error) }, 'the sums of reports could not be made; it is tried again');
  const rounds = every(clock, roundMs, round, warn);
  return {
    rolledUntilMs: () => rolledUntilMs,
    async stop() {
      isOver = true;
      await rounds.stop();
      if (isLeased) await store.write([leaveLease(leaseName, holder)]).catch(warn);
    },
  };

  async function round() {
    if (!(await mayWork())) return;
    const { rolledUntil } = await rollUp({ store, clock, isOver: () => isOver });
    if (rolledUntil !== '') rolledUntilMs = madeAt(rolledUntil);
  }

  /** Two that work at once do no harm: a lease saves one of them the work. */
  async function mayWork(): Promise<boolean> {
    if (isSole) return true;
    const [taken] = await store.write([holdLease(leaseName, holder, clock.now(), leaseMs)]);
    isLeased = taken === 1;
    return isLeased;
  }
}
