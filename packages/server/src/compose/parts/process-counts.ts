import { type ActiveApps, createActiveApps } from '../../ingress/limits/active-apps.ts';
import type { DetachedElsewhere } from '../../ingress/limits/concurrency.ts';
import { type AppTimes, createAppTimes } from '../../ingress/limits/processor-shares.ts';
import { type Count, createCount, createTally, type Tally } from '../../lib/count.ts';

export interface ProcessCounts {
  readonly threads: number;
  readonly permits: Count;
  readonly activeApps: ActiveApps;
  readonly times: AppTimes;
  /** Bytes of bodies, and of answers that their clients have not taken. */
  readonly bodyBytes: Count;
  readonly streams: Count;
  readonly activeStreamApps: ActiveApps;
  /** Bodies that take long, by the id of their key. */
  readonly slowBodies: Tally;
  readonly detached: SharedDetached;
}

/** Calls that go on behind an answer, and can be cut for a request that needs their place. */
export interface SharedDetached extends DetachedElsewhere {
  add(change: number): void;
}

export function createOwnCounts(): ProcessCounts {
  return {
    threads: 1,
    permits: createCount(),
    activeApps: createActiveApps(),
    times: createAppTimes(),
    bodyBytes: createCount(),
    streams: createCount(),
    activeStreamApps: createActiveApps(),
    slowBodies: createTally(),
    detached: { add: () => undefined, others: () => 0, cutElsewhere: () => false },
  };
}
