import type { Edge } from '../edge/edge.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/port.ts';
import type { Pages } from './admin-listener.ts';
import { createReadiness } from './readiness.ts';

/** What operators and their machines see of a service. */
export interface Monitor {
  readonly pages: Pages;
}

/** What is looked at. */
export interface MonitorParts {
  readonly store: Store;
  /** This process's own clock, which the store's is compared with. */
  readonly clock: Clock;
  readonly log: Log;
  readonly edge: Edge;
}

/** Watches a service. */
export function createMonitor({ store, clock, log, edge }: MonitorParts): Monitor {
  const ready = createReadiness({ store, clock, log, isDraining: edge.isDraining });
  return { pages: { '/ready': ready } };
}
