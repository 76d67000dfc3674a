import type { Clock } from '../../lib/clock.ts';
import { createFairQueue } from '../../lib/fair-queue.ts';
import { type Connection, type ConnectionUser, type Line, restMs } from './connection.ts';

export interface ConnectionQueue {
  readonly state: { readonly isWaiting: boolean };
  has(app: string): boolean;
  wait(line: Line, user: ConnectionUser): () => void;
  serveSoon(): void;
  clear(): readonly ConnectionUser[];
}

/** Timers may fire slightly early and would then find no rested connection. */
const restedMs = restMs + 1;
/** Below the second for which a rejected app counts as waiting. */
const againMs = 500;

/** `find` returns a connection for a line, or undefined. */
export function createConnectionQueue(parts: {
  readonly clock: Pick<Clock, 'after'>;
  readonly find: (line: Line) => Connection | undefined;
}): ConnectionQueue {
  const { clock, find } = parts;
  const waiting = createFairQueue<{ readonly line: Line; readonly user: ConnectionUser }>();
  const state = { isWaiting: false };
  let isServedAgain = false;
  return {
    state,
    has: waiting.has,
    wait(line, user) {
      state.isWaiting = true;
      later(restedMs, serve);
      return waiting.add(line.app, { line, user });
    },
    serveSoon() {
      // Deferred, because the library is still finishing the previous exchange.
      queueMicrotask(serve);
      later(restedMs, serve);
    },
    clear: () => waiting.clear().map(({ user }) => user),
  };

  function serve() {
    waiting.serveRoundRobin(({ line, user }) => {
      const connection = find(line);
      if (connection !== undefined) user.use(connection);
      return connection !== undefined;
    });
    state.isWaiting = waiting.count() > 0;
    if (!state.isWaiting || isServedAgain) return;
    isServedAgain = true;
    // An app's share also changes with time.
    later(againMs, () => {
      isServedAgain = false;
      serve();
    });
  }

  function later(ms: number, run: () => void) {
    clock.after(ms, run, { keepAlive: true });
  }
}
