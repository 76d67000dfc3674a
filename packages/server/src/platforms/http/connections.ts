import { Client } from 'undici';
import type { OpenShares, Shares } from '../../domain/shares.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Connection, Connections, ConnectionUser, Line } from './connection.ts';
import { createConnectionQueue } from './connection-queue.ts';
import { createFreeConnections, type Kept } from './free-connections.ts';
import { createOpenClient, type OpenClient } from './open-client.ts';
import { codeOf } from './transport.ts';
import type { Way } from './way.ts';

/** What connections are made with. */
export interface ConnectionsParts {
  readonly origin: string;
  readonly connectionsMax: number;
  readonly connectMs: number;
  /** How long a free connection is kept at most. */
  readonly idleMs: number;
  /** Told of bytes that came although nothing had been asked for. */
  readonly onUnsolicited: () => void;
  /** Directly, where it is absent. */
  readonly way?: Way | undefined;
  /** How apps share connections; first come, first served, where it is absent. */
  readonly openShares?: OpenShares | undefined;
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
}

/**
 * Of an app's free connections the one that was given back last is taken first, once it has
 * rested: those that the load has no need of any more end by themselves.
 */
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

  /** Where one answer was more than was asked for, what the other connections hold is in doubt. */
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

/** The rules reject nothing before half of all is in use: until then they cost no call anything. */
function sharedBy(shares: Shares, all: ReadonlyMap<Client, Kept>): Shares {
  for (const { app, freeSinceMs } of all.values()) {
    if (freeSinceMs === undefined) shares.take(app);
  }
  return shares;
}

/** No app's name has the end of a line in it. */
function keyOf({ app, reads }: Line): string {
  return reads === 'whole' ? app : `\n${app}`;
}

/**
 * Opens a connection; `onLost` is called when it breaks while no call uses it, or when bytes come
 * then: what else the server says is in doubt where those were part of an answer.
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

/** What some servers say before they close an idle connection. */
function isFarewell(bytes: unknown): boolean {
  const head = Buffer.isBuffer(bytes) ? bytes.toString('latin1', 0, 2_000) : '';
  return /^HTTP\/1\.[01] 408 /.test(head) && /\r\nconnection:[ \t]*close\r\n/i.test(head);
}

/** Whether the library found something behind the answer, in the same piece of bytes. */
function isBeyondAnswer(error: Error): boolean {
  return codeOf(error)?.startsWith('HPE_') === true || error.message === 'bad response';
}
