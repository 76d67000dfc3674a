import { buildConnector, Client } from 'undici';

/** Connections to one origin, each for one request at a time. */
export interface Connections {
  /** Calls `use` with a free connection: at once, or as soon as there is one within the bound. */
  take(use: (connection: Client) => void): void;
  /** To be called once for each connection that was taken, when its exchange has ended. */
  giveBack(connection: Client): void;
  /** Ends every connection; those that are taken afterwards refuse what they are given. */
  close(): Promise<void>;
}

/** What connections are made with. */
export interface ConnectionsParts {
  readonly origin: string;
  readonly connectionsMax: number;
  readonly connectMs: number;
  /** How long a free connection is kept, unless the server says how long it keeps it. */
  readonly idleMs: number;
}

/**
 * The connection that was given back last is taken first: finding one takes no longer the more are
 * busy, and those that the load has no need of any more end by themselves. (The library's own pool
 * asks one after the other, which at thousands of calls in flight costs more than the call.)
 */
export function createConnections(parts: ConnectionsParts): Connections {
  const { origin, connectionsMax, connectMs, idleMs } = parts;
  const options: Client.Options = {
    // One for all of them, so that they share what TLS remembers of the server. Over HTTP/2 one
    // dying connection loses many calls, and which were sent is not told.
    connect: buildConnector({ timeout: connectMs, allowH2: false }),
    pipelining: 1,
    keepAliveTimeout: idleMs,
    // The caller's signal is the only limit: a drain may wait longer than a call.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const all: Client[] = [];
  const free: Client[] = [];
  const waiting: ((connection: Client) => void)[] = [];
  let isClosed = false;
  return { take, giveBack, close };

  function take(use: (connection: Client) => void) {
    const connection = free.pop() ?? open();
    if (connection === undefined) waiting.push(use);
    else use(connection);
  }

  function open(): Client | undefined {
    if (all.length >= connectionsMax) return undefined;
    const connection = new Client(origin, options);
    all.push(connection);
    if (isClosed) void connection.destroy();
    return connection;
  }

  function giveBack(connection: Client) {
    const next = waiting.shift();
    if (next === undefined) free.push(connection);
    // Later, since the library is still at the end of the exchange before.
    else queueMicrotask(() => next(connection));
  }

  async function close() {
    isClosed = true;
    await Promise.all(all.map((connection) => connection.destroy()));
  }
}
