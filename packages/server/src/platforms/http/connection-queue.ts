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

/** Timers may fire slightly early and would then find nothing rested. */
const restedMs = restMs + 1;
/** Below the second for which a refused app counts as wanting. */
const againMs = 500;

/** `find` returns a connection for a line, or none now. */
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
      // Not at once, since the library is still at the end of the exchange before.
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
    // An app's share changes with time as well.
    later(againMs, () => {
      isServedAgain = false;
      serve();
    });
  }

  function later(ms: number, run: () => void) {
    clock.after(ms, run, { keepAlive: true });
  }
}
