import { Client } from 'undici';
import type { OpenShares, Shares } from '../../domain/shares.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { Connection, Connections, ConnectionUser, Line } from './connection.ts';
import { createConnectionQueue } from './connection-queue.ts';
import { Exchange } from './exchange.ts';
import { createFreeConnections, type Kept } from './free-connections.ts';
import { createOpenClient, type OpenClient } from './open-client.ts';
import { answerBytesMax, codeOf, type Transport } from './transport.ts';
import type { Way } from './way.ts';

export interface ConnectionsParts {
  readonly origin: string;
  readonly connectionsMax: number;
  readonly connectMs: number;
  readonly idleMs: number;
  readonly onUnsolicited: () => void;
  readonly way?: Way | undefined;
  readonly openShares?: OpenShares | undefined;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
}

/** Takes the app's last returned connection that has rested, so surplus ones time out. */
export function createConnections(parts: ConnectionsParts): Connections {
  const { origin, connectionsMax, onUnsolicited, clock, openShares } = parts;
  const openClient = createOpenClient(parts);
  const all = new Map<Client, Kept>();
  const free = createFreeConnections(clock, drop);
  const queue = createConnectionQueue({ clock, find });
  const { state } = queue;
  let inUse = 0;
  let shares: Shares | undefined;
  let closed: Connection | undefined;
  return { take, giveBack, close };

  function take(line: Line, user: ConnectionUser): (() => void) | undefined {
    const isBehind = state.isWaiting && queue.has(line.app);
    const connection = closed ?? (isBehind ? undefined : find(line));
    if (connection === undefined) return queue.wait(line, user);
    user.use(connection);
    return undefined;
  }

  function find(line: Line): Connection | undefined {
    if (shares?.isFull(line.app)) return undefined;
    const key = keyOf(line);
    let connection = free.take(key);
    if (connection === undefined) {
      if (all.size >= connectionsMax && !free.makeRoom(key)) return undefined;
      connection = openWatched(openClient, line, lose);
      all.set(connection.client, connection);
    }
    inUse += 1;
    if (shares !== undefined) shares.take(line.app);
    else if (openShares !== undefined && inUse * 2 >= connectionsMax)
      shares = sharedBy(openShares(connectionsMax), all);
    return connection;
  }

  /** After one oversized answer, data on the other connections is in doubt. */
  function lose(connection: Kept, isInDoubt: boolean) {
    drop(connection);
    if (!isInDoubt) return;
    for (const one of free.all()) drop(one);
    onUnsolicited();
  }

  function giveBack(connection: Connection) {
    const kept = all.get(connection.client);
    if (kept === undefined) return;
    inUse -= 1;
    if (shares !== undefined) {
      shares.leave(kept.app);
      if (inUse * 4 < connectionsMax) shares = undefined;
    }
    (kept.isOpen ? free.add : drop)(kept);
    if (state.isWaiting) queue.serveSoon();
  }

  function drop(connection: Kept) {
    free.remove(connection);
    all.delete(connection.client);
    void connection.client.destroy();
  }

  async function close() {
    closed = { client: new Client(origin) };
    const ended = [...all.keys(), closed.client].map((client) => client.destroy());
    for (const user of queue.clear()) user.use(closed);
    await Promise.all(ended);
  }
}

/** The rules reject nothing below half use, so calls cost nothing extra until then. */
function sharedBy(shares: Shares, all: ReadonlyMap<Client, Kept>): Shares {
  for (const { app, freeSinceMs } of all.values()) {
    if (freeSinceMs === undefined) shares.take(app);
  }
  return shares;
}

/** No app name contains a line end. */
function keyOf({ app, reads }: Line): string {
  return reads === 'whole' ? app : `\n${app}`;
}

/**
 * `onLost` fires when an idle connection breaks or receives bytes: if those belong to an answer,
 * the server's other output is in doubt.
 */
function openWatched(
  openClient: OpenClient,
  line: Line,
  onLost: (connection: Kept, isInDoubt: boolean) => void,
): Kept {
  const client = openClient(line.reads, (socket) => {
    connection.isOpen = true;
    // Read before the library does.
    socket.on('readable', () => {
      if (connection.freeSinceMs === undefined || socket.readableLength === 0) return;
      const bytes: unknown = socket.read();
      onLost(connection, !isFarewell(bytes));
      socket.destroy();
    });
  });
  const { app } = line;
  const connection: Kept = { client, app, key: keyOf(line), isOpen: false, freeSinceMs: undefined };
  client.on('disconnect', (_origin, _targets, error) => {
    connection.isOpen = false;
    if (connection.freeSinceMs !== undefined) onLost(connection, isBeyondAnswer(error));
  });
  return connection;
}

/** Some servers send this before closing an idle connection. */
function isFarewell(bytes: unknown): boolean {
  const head = Buffer.isBuffer(bytes) ? bytes.toString('latin1', 0, 2_000) : '';
  return /^HTTP\/1\.[01] 408 /.test(head) && /\r\nconnection:[ \t]*close\r\n/i.test(head);
}

/** The library found bytes behind the answer in the same piece. */
function isBeyondAnswer(error: Error): boolean {
  return codeOf(error)?.startsWith('HPE_') === true || error.message === 'bad response';
}

export interface UndiciTransportOptions {
  /** `http:` or `https:`; its path precedes every request's path. */
  readonly baseUrl: string;
  readonly connectionsMax?: number;
  readonly connectMs?: number;
  readonly answerBytesMax?: number;
  readonly way?: Way | undefined;
  readonly openShares?: OpenShares | undefined;
  readonly onUnsolicited?: (() => void) | undefined;
  /** Default: the machine's, since sockets follow it; replaced only in tests. */
  readonly clock?: Pick<Clock, 'monotonic' | 'after'>;
}

const connectionsMax = 10_000;

/** Three attempts at an address that swallows packets must end before the call's deadline. */
const connectMs = 5_000;

/**
 * Below the 5 s after which many servers close: a close that crosses a request looks like a loss,
 * which may have been billed.
 */
const idleMs = 4_000;

/** HTTP/1.1, kept alive, one request at a time per connection. */
export function createUndiciTransport(options: UndiciTransportOptions): Transport {
  const { origin, pathname } = new URL(options.baseUrl);
  const basePath = pathname.replace(/(?<!\/)\/+$/, '');
  const { answerBytesMax: mostBytes = Number.POSITIVE_INFINITY } = options;
  const clock = options.clock ?? systemClock;
  const connections = createConnections({
    origin,
    connectionsMax: options.connectionsMax ?? connectionsMax,
    connectMs: options.connectMs ?? connectMs,
    idleMs,
    way: options.way,
    openShares: options.openShares,
    onUnsolicited: options.onUnsolicited ?? (() => undefined),
    clock,
  });
  return {
    send: (request) =>
      new Promise((resolve) => {
        const { app = '', method, headers, body, signal, told, work, openReader } = request;
        const bytesMax = Math.min(request.answerBytesMax ?? answerBytesMax, mostBytes);
        const asked = { path: basePath + request.path, method, headers, body };
        const exchange = new Exchange(asked, {
          signal,
          told,
          work,
          openReader,
          bytesMax,
          connections,
          clock,
          resolve,
        });
        if (signal.aborted) return exchange.abort();
        signal.addEventListener('abort', exchange);
        const reads = openReader === undefined ? 'whole' : 'streams';
        exchange.endWait = connections.take({ app, reads }, exchange);
      }),
    close: connections.close,
  };
}
