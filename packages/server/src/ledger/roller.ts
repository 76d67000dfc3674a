import { type Clock, every, sleep } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/port/port.ts';
import { holdLease, leaveLease } from '../store/queries/leases.ts';
import { maximumCostStep, selectMaximumCostState } from '../store/sums/maximum-costs.ts';
import { selectRollupStep } from '../store/sums/rollups.ts';
import { type RollupParts, rollUp } from './rollups.ts';

export interface Roller {
  /** Never rejects; waits for the current step. */
  stop(): Promise<void>;
}

const roundMs = 60_000;
const leaseMs = 3 * roundMs;
const leaseName = 'rollups';

/** Only one of several processes does the work. */
export function startRoller(parts: {
  readonly store: Store;
  /** The store's clock. */
  readonly clock: Clock;
  readonly log: Log;
  readonly instanceId: string;
}): Roller {
  const { store, clock, log, instanceId: holder } = parts;
  let isOver = false;
  let isLeased = false;
  const warn = (error: unknown) =>
    log.warn({ error: String(error) }, 'report rollups failed; will retry');
  const rounds = every(clock, roundMs, round, warn);
  return {
    async stop() {
      isOver = true;
      await rounds.stop();
      if (isLeased) await store.write([leaveLease(leaseName, holder)]).catch(warn);
    },
  };

  async function round() {
    if (!(await mayWork())) return;
    const parts = { store, clock, isOver: () => isOver };
    await rollUp(parts);
    await recordMaximumCosts(parts);
  }

  /** Two at once do no harm; the lease only avoids double work. */
  async function mayWork(): Promise<boolean> {
    if (!store.isShared) return true;
    const [taken] = await store.write([holdLease(leaseName, holder, clock.now(), leaseMs)]);
    isLeased = taken === 1;
    return isLeased;
  }
}

const stepCallsMax = 2_000;

/**
 * For each 17 minutes, up to the rollups of reports. Each step is one transaction with its
 * watermark.
 */
export async function recordMaximumCosts(
  parts: Pick<RollupParts, 'store' | 'clock' | 'stepCalls' | 'isOver'>,
): Promise<void> {
  const { store, clock, stepCalls = stepCallsMax } = parts;
  while (parts.isOver?.() !== true) {
    const state = await store.read(selectMaximumCostState);
    if (state === undefined || state.peakedUntil >= state.rolledUntil) return;
    const { peakedUntil: after, rolledUntil: until } = state;
    const next = (await store.read(selectRollupStep({ after, until }, stepCalls))) ?? until;
    const startedMs = clock.monotonic();
    await store.write(maximumCostStep(after, next));
    // Leaves the database to the service for as long as the step used it.
    if (next < until) await sleep(clock, clock.monotonic() - startedMs);
  }
}
