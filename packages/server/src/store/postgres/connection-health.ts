import { instanceDeadMs } from '../../books/instance.ts';
import type { Clock } from '../../lib/clock.ts';

/** Whether this process could reach the server all the time. */
export interface ConnectionHealth {
  /** Notes that the server was away, or that a connection broke. */
  markLost(): void;
  /** True until every instance could send a heartbeat: while the server was away, none could. */
  wasRecentlyLost(): boolean;
}

/** Healthy from now on. */
export function createConnectionHealth(clock: Clock): ConnectionHealth {
  let lostAtMs: number | undefined;
  return {
    markLost() {
      lostAtMs = clock.monotonic();
    },
    wasRecentlyLost: () => lostAtMs !== undefined && clock.monotonic() - lostAtMs < instanceDeadMs,
  };
}
