import { instanceDeadMs } from '../../books/instance.ts';
import type { Clock } from '../../lib/clock.ts';

export interface ConnectionHealth {
  /** The server was away, or a connection broke. */
  markLost(): void;
  /**
   * True until every instance had time for a heartbeat: while the server was away, none could send
   * one.
   */
  wasRecentlyLost(): boolean;
}

export function createConnectionHealth(clock: Clock): ConnectionHealth {
  let lostAtMs: number | undefined;
  return {
    markLost() {
      lostAtMs = clock.monotonic();
    },
    wasRecentlyLost: () => lostAtMs !== undefined && clock.monotonic() - lostAtMs < instanceDeadMs,
  };
}
