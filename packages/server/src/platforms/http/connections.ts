import { Client } from 'undici';
import type { OpenShares, Shares } from '../../domain/shares.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  type Connection,
  type Connections,
  type ConnectionUser,
  type Line,
  restMs,
} from './connection.ts';
import { createConnectionQueue } from './connection-queue.ts';
import { createOpenClient, type OpenClient } from './open-client.ts';
import { codeOf } from './transport.ts';
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

/** Takes the app's most recently returned rested connection, so surplus ones time out. */
export function createConnections(parts: ConnectionsParts): Connections {
  const { origin, connectionsMax, onUnsolicited, clock, openShares } = parts;
  const openClient = createOpenClient(parts);
  const all = new Map<Client, PooledConnection>();
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
    // App names contain no line end.
    const key = line.reads === 'whole' ? line.app : `\n${line.app}`;
    let connection = free.take(key);
    if (connection === undefined) {
      if (all.size >= connectionsMax && !free.makeRoom(key)) return undefined;
      connection = openWatched(openClient, { ...line, key }, lose);
      all.set(connection.client, connection);
    }
    inUse += 1;
    if (shares !== undefined) shares.take(line.app);
    else if (openShares !== undefined && inUse * 2 >= connectionsMax)
      shares = sharedBy(openShares(connectionsMax), all);
    return connection;
  }

  /** After one oversized response, data on the other connections is in doubt. */
  function lose(connection: PooledConnection, isInDoubt: boolean) {
    drop(connection);
    if (!isInDoubt) return;
    for (const one of free.all()) drop(one);
    onUnsolicited();
  }

  function giveBack(connection: Connection) {
    const pooled = all.get(connection.client);
    if (pooled === undefined) return;
    inUse -= 1;
    if (shares !== undefined) {
      shares.leave(pooled.app);
      if (inUse * 4 < connectionsMax) shares = undefined;
    }
    (pooled.isOpen ? free.add : drop)(pooled);
    if (state.isWaiting) queue.serveSoon();
  }

  function drop(connection: PooledConnection) {
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

/** The rules reject nothing below half use, so until then calls cost nothing extra. */
function sharedBy(shares: Shares, all: ReadonlyMap<Client, PooledConnection>): Shares {
  for (const { app, freeSinceMs } of all.values()) {
    if (freeSinceMs === undefined) shares.take(app);
  }
  return shares;
}

/**
 * `onLost` fires when an idle connection breaks or receives bytes. If those belong to a response,
 * the server's other output is in doubt.
 */
function openWatched(
  openClient: OpenClient,
  { app, key, reads }: Line & Pick<PooledConnection, 'key'>,
  onLost: (connection: PooledConnection, isInDoubt: boolean) => void,
): PooledConnection {
  const client = openClient(reads, (socket) => {
    connection.isOpen = true;
    // Must read before the library does.
    socket.on('readable', () => {
      if (connection.freeSinceMs === undefined || socket.readableLength === 0) return;
      const bytes: unknown = socket.read();
      onLost(connection, !isFarewell(bytes));
      socket.destroy();
    });
  });
  const connection: PooledConnection = { client, app, key, isOpen: false, freeSinceMs: undefined };
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

/** The library found bytes after the response in the same chunk. */
function isBeyondAnswer(error: Error): boolean {
  return codeOf(error)?.startsWith('HPE_') === true || error.message === 'bad response';
}

interface PooledConnection {
  readonly client: Client;
  readonly app: string;
  readonly key: string;
  isOpen: boolean;
  freeSinceMs: number | undefined;
}

interface FreeConnections {
  /** The key's most recently returned rested connection, now in use. */
  take(key: string): PooledConnection | undefined;
  add(connection: PooledConnection): void;
  remove(connection: PooledConnection): void;
  /**
   * Drops the connection that is free the longest. False when there is none or the key's own only
   * need rest.
   */
  makeRoom(key: string): boolean;
  all(): readonly PooledConnection[];
}

/**
 * Per key and in total. A key's connections count only after idling longer than the time between
 * calls under load. Otherwise a quarter of the calls of an app with 100 at once would wait for a
 * new one.
 */
const idleOfKeyMax = 8;
const idleMax = 512;
const idleFromMs = 500;
const never = Number.POSITIVE_INFINITY;

/** Calls `drop` above the limits. Takes the last returned first, so surplus ones time out. */
function createFreeConnections(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  drop: (connection: PooledConnection) => void,
): FreeConnections {
  /** In the order of release, oldest first. */
  const free = new Set<PooledConnection>();
  const freeOf = new Map<string, PooledConnection[]>();
  const trimming = new Set<string>();

  function take(key: string): PooledConnection | undefined {
    const sinceMs = clock.monotonic() - restMs;
    const rested = freeOf.get(key)?.findLast(({ freeSinceMs = never }) => freeSinceMs <= sinceMs);
    if (rested !== undefined) remove(rested);
    return rested;
  }

  function add(connection: PooledConnection) {
    connection.freeSinceMs = clock.monotonic();
    free.add(connection);
    const mine = freeOf.get(connection.key) ?? [];
    mine.push(connection);
    freeOf.set(connection.key, mine);
    if (mine.length > idleOfKeyMax) trimLater(connection.key);
    const [oldest] = free;
    if (free.size > idleMax && oldest !== undefined) drop(oldest);
  }

  function remove(connection: PooledConnection) {
    connection.freeSinceMs = undefined;
    free.delete(connection);
    const mine = freeOf.get(connection.key) ?? [];
    const index = mine.lastIndexOf(connection);
    if (index >= 0) mine.splice(index, 1);
    if (mine.length === 0) freeOf.delete(connection.key);
  }

  function makeRoom(key: string): boolean {
    const [oldest] = free;
    if (oldest === undefined || freeOf.has(key)) return false;
    drop(oldest);
    return true;
  }

  function trimLater(key: string) {
    if (trimming.has(key)) return;
    trimming.add(key);
    clock.after(idleFromMs, () => {
      trimming.delete(key);
      trim(key);
    });
  }

  function trim(key: string) {
    const mine = freeOf.get(key) ?? [];
    const sinceMs = clock.monotonic() - idleFromMs;
    const surplus = mine
      .slice(idleOfKeyMax)
      .filter(({ freeSinceMs = never }) => freeSinceMs <= sinceMs).length;
    for (const connection of mine.slice(0, surplus)) drop(connection);
    if (mine.length > idleOfKeyMax) trimLater(key);
  }

  return { take, add, remove, makeRoom, all: () => [...free] };
}
