import { performance } from 'node:perf_hooks';
import { type Connection, openConnection, type RawAnswer } from './connection.ts';

/** An answer, or why there is none, and how long it took without the connecting. */
export interface Exchange extends RawAnswer {
  readonly answeredAtMs: number;
  readonly tookMs: number;
}

/** Kept-alive connections to one server: made as they are needed, and used again. */
export interface Connections {
  /** Opens so many before the first request. */
  open(count: number): Promise<void>;
  /** Sends a request on a free connection, or on a new one. */
  call(request: readonly Buffer[]): Promise<Exchange>;
  /** Connections that were left since nothing had been sent on them for too long. */
  leftIdle(): number;
  /** Requests that met a closed connection and were sent once more on a fresh one. */
  sentAgain(): number;
  close(): void;
}

/**
 * How long a connection may have been idle and still be used: less than the 75 s after which the
 * gateway closes it, so that no request crosses the closing.
 */
export const idleMsMax = 60_000;

/**
 * No connection yet. A request that is repeatable, and whose connection had been used before and
 * was closed before a byte of the answer, is sent once more, as HTTP allows: it is counted, and
 * its time is that of the second sending.
 */
export function createConnections(parts: {
  readonly url: string;
  readonly isRepeatable: boolean;
  readonly idleMsMax?: number;
}): Connections {
  const limitMs = parts.idleMsMax ?? idleMsMax;
  const free: { readonly connection: Connection; readonly sinceMs: number }[] = [];
  const all = new Set<Connection>();
  let leftIdle = 0;
  let sentAgain = 0;
  return {
    async open(count) {
      const opening = Array.from({ length: count }, open);
      for (const connection of await Promise.all(opening)) giveBack(connection);
    },
    async call(request) {
      const used = take();
      const exchange = await send(used ?? (await open()), request);
      const isLost = used !== undefined && exchange.problem !== undefined;
      if (!isLost || exchange.hasBegun || !parts.isRepeatable) return exchange;
      sentAgain += 1;
      return send(await open(), request);
    },
    leftIdle: () => leftIdle,
    sentAgain: () => sentAgain,
    close() {
      for (const connection of all) connection.close();
    },
  };

  /** The one that was used last: the others may grow old. */
  function take(): Connection | undefined {
    for (let last = free.pop(); last !== undefined; last = free.pop()) {
      const { connection, sinceMs } = last;
      const isOld = performance.now() - sinceMs > limitMs;
      if (!isOld && connection.isOpen()) return connection;
      if (isOld) leftIdle += 1;
      drop(connection);
    }
    return undefined;
  }

  async function open(): Promise<Connection> {
    const connection = await openConnection(parts.url);
    all.add(connection);
    return connection;
  }

  function send(connection: Connection, request: readonly Buffer[]): Promise<Exchange> {
    const sentAtMs = performance.now();
    return new Promise((resolve) => {
      connection.send(request, (answer) => {
        const answeredAtMs = performance.now();
        if (answer.problem === undefined && connection.isOpen()) giveBack(connection);
        else drop(connection);
        resolve({ ...answer, answeredAtMs, tookMs: answeredAtMs - sentAtMs });
      });
    });
  }

  function giveBack(connection: Connection) {
    free.push({ connection, sinceMs: performance.now() });
  }

  function drop(connection: Connection) {
    all.delete(connection);
    connection.close();
  }
}
