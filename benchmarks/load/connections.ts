import { performance } from 'node:perf_hooks';
import { type Connection, openConnection, type RawAnswer } from './connection.ts';

/** A response, or why there is none, and its duration without the connecting. */
export interface Exchange extends RawAnswer {
  readonly answeredAtMs: number;
  readonly tookMs: number;
}

interface Free {
  readonly connection: Connection;
  readonly sinceMs: number;
  readonly isUnused: boolean;
}

/** Kept-alive connections to one server, opened on demand and reused. */
export interface Connections {
  /** Opens so many before the first request. */
  open(count: number): Promise<void>;
  call(request: readonly Buffer[]): Promise<Exchange>;
  /** Connections that were closed after too long an idle time. */
  idleCloses(): number;
  /** Requests that met a closed connection and were sent once more on a new one. */
  sentAgain(): number;
  close(): void;
}

/**
 * How long a connection may be idle before its next use. It is less than the gateway's 75 s, so no
 * request crosses the gateway's closing.
 */
export const idleMsMax = 60_000;
/** A new connection has less time for its first request: the gateway's 10 s for the headers. */
const unusedMsMax = 5_000;

/**
 * Opens no connection yet. As HTTP allows, a repeatable request is sent once more if its reused
 * connection closed before a byte of the response. It is counted, and its time is that of the
 * second sending.
 */
export function createConnections(parts: {
  readonly url: string;
  readonly isRepeatable: boolean;
  readonly idleMsMax?: number;
}): Connections {
  const limitMs = parts.idleMsMax ?? idleMsMax;
  const free: Free[] = [];
  const all = new Set<Connection>();
  let idleCloses = 0;
  let sentAgain = 0;
  return {
    async open(count) {
      const opening = Array.from({ length: count }, open);
      for (const connection of await Promise.all(opening)) giveBack(connection, true);
    },
    async call(request) {
      const used = take();
      if (used === undefined) return sendOnNew(request);
      const exchange = await send(used, request);
      const isLost = exchange.problem !== undefined && !exchange.hasBegun;
      if (!isLost || !parts.isRepeatable) return exchange;
      sentAgain += 1;
      return sendOnNew(request);
    },
    idleCloses: () => idleCloses,
    sentAgain: () => sentAgain,
    close() {
      for (const connection of all) connection.close();
    },
  };

  /** Returns the most recently used connection: the others may expire. */
  function take(): Connection | undefined {
    for (let last = free.pop(); last !== undefined; last = free.pop()) {
      const { connection, sinceMs, isUnused } = last;
      const idleMs = performance.now() - sinceMs;
      const isOld = idleMs > (isUnused ? Math.min(unusedMsMax, limitMs) : limitMs);
      if (!isOld && connection.isOpen()) return connection;
      if (isOld) idleCloses += 1;
      drop(connection);
    }
    return undefined;
  }

  async function sendOnNew(request: readonly Buffer[]): Promise<Exchange> {
    const startedMs = performance.now();
    const connection = await open().catch((error: unknown) => String(error));
    if (typeof connection !== 'string') return send(connection, request);
    const answeredAtMs = performance.now();
    const none = { status: 0, body: '', problem: connection, hasBegun: false };
    return { ...none, answeredAtMs, tookMs: answeredAtMs - startedMs };
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
        if (answer.problem === undefined && connection.isOpen()) giveBack(connection, false);
        else drop(connection);
        resolve({ ...answer, answeredAtMs, tookMs: answeredAtMs - sentAtMs });
      });
    });
  }

  function giveBack(connection: Connection, isUnused: boolean) {
    free.push({ connection, sinceMs: performance.now(), isUnused });
  }

  function drop(connection: Connection) {
    all.delete(connection);
    connection.close();
  }
}
