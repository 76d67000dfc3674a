import { Client } from 'undici';
import type { Clock } from '../lib/clock.ts';
import { createFreeConnections, type Kept, restMs } from './free-connections.ts';
import { createOpenClient, type OpenClient, type Reads } from './open-client.ts';
import { codeOf } from './transport.ts';
import type { Way } from './way.ts';

/** Connections to one origin, each for one request at a time. */
export interface Connections {
  /**
   * Hands over a connection of the line: at once, or once there is one within the bound. No app is
   * handed what another one's call has gone over.
   */
  take(line: Line, user: ConnectionUser): void;
  /** To be called once for each connection that was taken, when its exchange has ended. */
  giveBack(connection: Connection): void;
  /** Ends every connection; those that are taken afterwards refuse what they are given. */
  close(): Promise<void>;
}

/** Who takes a connection. */
export interface ConnectionUser {
  use(connection: Connection): void;
}

/** What a connection is for: all its life the calls of one app, and one kind of answers. */
export interface Line {
  readonly app: string;
  readonly reads: Reads;
}

/** A connection that was taken. */
export interface Connection {
  readonly client: Client;
}

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
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
}

interface Waiting {
  readonly line: Line;
  readonly user: ConnectionUser;
}

/**
 * Of an app's free connections the one that was given back last is taken first, once it has
 * rested: those that the load has no need of any more end by themselves.
 */
export function createConnections(parts: ConnectionsParts): Connections {
  const { origin, connectionsMax, onUnsolicited, clock } = parts;
  const openClient = createOpenClient(parts);
  const all = new Map<Client, Kept>();
  const free = createFreeConnections(clock, drop);
  const waiting: Waiting[] = [];
  let closed: Connection | undefined;
  return { take, giveBack, close };

  function take(line: Line, user: ConnectionUser) {
    const connection = closed ?? find(line);
    if (connection !== undefined) return user.use(connection);
    waiting.push({ line, user });
    later(serve);
  }

  function find(line: Line): Connection | undefined {
    const key = keyOf(line);
    const rested = free.take(key);
    if (rested !== undefined) return rested;
    if (all.size >= connectionsMax && !free.makeRoom(key)) return undefined;
    const connection = openWatched(openClient, line, lose);
    all.set(connection.client, connection);
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
    (kept.isOpen ? free.add : drop)(kept);
    if (waiting.length === 0) return;
    // Not at once, since the library is still at the end of the exchange before.
    queueMicrotask(serve);
    later(serve);
  }

  function serve() {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const connection = find(next.line);
      if (connection === undefined) return;
      waiting.shift();
      next.user.use(connection);
    }
  }

  /** A timer may be a little early, and one that is as early as it may be would find nothing. */
  function later(run: () => void) {
    clock.after(restMs + 1, run, { keepAlive: true });
  }

  function drop(connection: Kept) {
    free.remove(connection);
    all.delete(connection.client);
    void connection.client.destroy();
  }

  async function close() {
    closed = { client: new Client(origin) };
    const ended = [...all.keys(), closed.client].map((client) => client.destroy());
    for (const { user } of waiting.splice(0)) user.use(closed);
    await Promise.all(ended);
  }
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
  const connection: Kept = { client, key: keyOf(line), isOpen: false, freeSinceMs: undefined };
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
