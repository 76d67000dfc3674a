import type { Server } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';

/** The listeners of a service. */
export type ListenerName = 'public' | 'admin';

/** How many connections listeners take, and what becomes of the others. */
export interface ConnectionLimits {
  /** From now on a listener takes no more than `connectionsMax` at once; undefined is no bound. */
  bound(server: Server, listener: ListenerName, connectionsMax: number | undefined): void;
  /** Connections that each listener has dropped so far. */
  dropped(): Readonly<Record<ListenerName, number>>;
}

/** A line about them is written so often at most. */
const logEveryMs = 60_000;

/** Nothing is dropped yet. */
export function createConnectionLimits(parts: {
  readonly clock: Clock;
  readonly log: Log;
}): ConnectionLimits {
  const { clock, log } = parts;
  const counts: Record<ListenerName, number> = { public: 0, admin: 0 };
  return { bound, dropped: () => counts };

  function bound(server: Server, listener: ListenerName, connectionsMax: number | undefined) {
    if (connectionsMax === undefined) return;
    let logged = 0;
    let isTimed = false;
    server.maxConnections = connectionsMax;
    server.on('drop', () => {
      counts[listener] += 1;
      if (!isTimed) logDropped();
    });

    function logDropped() {
      isTimed = false;
      const dropped = counts[listener] - logged;
      if (dropped === 0) return;
      logged = counts[listener];
      const why = 'connections are dropped: there are as many as this listener takes';
      log.warn({ listener, connectionsMax, dropped }, why);
      isTimed = true;
      clock.after(logEveryMs, logDropped);
    }
  }
}
