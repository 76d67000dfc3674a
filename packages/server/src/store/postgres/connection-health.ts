import { instanceDeadMs } from '../../books/instance.ts';
import type { Clock } from '../../lib/clock.ts';

export interface ConnectionHealth {
  /** The server was unavailable, or a connection broke. */
  markLost(): void;
  /**
   * True until every instance had time for a heartbeat: none could send one while the server was
   * unavailable.
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
