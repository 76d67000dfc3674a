import { type ActiveApps, createActiveApps } from '../../ingress/limits/active-apps.ts';
import type { DetachedElsewhere } from '../../ingress/limits/concurrency.ts';
import { type AppTimes, createAppTimes } from '../../ingress/limits/processor-shares.ts';
import { type Count, createCount, createTally, type Tally } from '../../lib/count.ts';

export interface ProcessCounts {
  readonly threads: number;
  readonly permits: Count;
  readonly activeApps: ActiveApps;
  readonly times: AppTimes;
  /** Bytes of bodies, and of responses that clients have not yet received. */
  readonly bodyBytes: Count;
  readonly streams: Count;
  readonly activeStreamApps: ActiveApps;
  /** Slow request bodies, by key id. */
  readonly slowBodies: Tally;
  readonly detached: SharedDetached;
}

/** Detached calls. A request that needs a permit can cancel one. */
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
