import type { Clock } from '../../lib/clock.ts';
import { createFairQueue } from '../../lib/fair-queue.ts';
import type { Connection, ConnectionUser, Line } from './connection.ts';
import { restMs } from './free-connections.ts';

/** Who waits for a connection. */
export interface ConnectionQueue {
  /** A field, since every call looks at it. */
  readonly state: { readonly isWaiting: boolean };
  has(app: string): boolean;
  /** The returned function ends the wait, if it lasts. */
  wait(line: Line, user: ConnectionUser): () => void;
  /** A connection was given back. */
  serveSoon(): void;
  /** Takes all out. */
  clear(): readonly ConnectionUser[];
}

/** A timer may be a little early, and one that is as early as it may be would find nothing. */
const restedMs = restMs + 1;
/** Below the second for which an app that was refused wants something. */
const againMs = 500;

/** No call waits yet; `find` has a connection for a line, or none now. */
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

  /** An app that gets none is again one that wants some. */
  function serve() {
    waiting.inTurns(({ line, user }) => {
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
