import type { Socket } from 'node:net';
import { Client } from 'undici';
import type { Clock } from '../lib/clock.ts';
import { createOpenClient, type Reads } from './open-client.ts';
import { codeOf } from './transport.ts';

/** Connections to one origin, each for one request at a time. */
export interface Connections {
  /**
   * Calls `use` with a connection of the line: at once, or once there is one within the bound. No
   * app is handed what another one's call has gone over.
   */
  take(line: Line, use: (connection: Connection) => void): void;
  /** To be called once for each connection that was taken, when its exchange has ended. */
  giveBack(connection: Connection): void;
  /** Ends every connection; those that are taken afterwards refuse what they are given. */
  close(): Promise<void>;
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
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
}

/**
 * How long a connection rests behind an answer. HTTP/1.1 has no ids: a second copy of the answer,
 * if it comes, is to meet a connection that waits for none. ADR 0031.
 */
const restMs = 2;

/**
 * Free connections that are kept, of one app and of all. Those of an app are counted once no
 * call has taken them for as long as calls under load are apart: else a quarter of the calls of an
 * app with 100 at once would wait for a new connection.
 */
const idleOfAppMax = 8;
const idleMax = 512;
const idleFromMs = 500;

interface Kept extends Connection {
  /** That of its line. */
  readonly key: string;
  isOpen: boolean;
  /** When it was given back; undefined while it is in use. */
  freeSinceMs: number | undefined;
}

interface Waiting {
  readonly line: Line;
  readonly use: (connection: Connection) => void;
}

/**
 * Of an app's free connections the one that was given back last is taken first, once it has
 * rested: those that the load has no need of any more end by themselves.
 */
export function createConnections(parts: ConnectionsParts): Connections {
  const { origin, connectionsMax, onUnsolicited, clock } = parts;
  const openClient = createOpenClient(parts);
  const all = new Map<Client, Kept>();
  /** Those that are free: of all apps, and of each; the longest free come first. */
  const free = new Set<Kept>();
  const freeOf = new Map<string, Kept[]>();
  const trimming = new Set<string>();
  const waiting: Waiting[] = [];
  let closed: Connection | undefined;
  return { take, giveBack, close };

  function take(line: Line, use: (connection: Connection) => void) {
    const connection = closed ?? takeRested(keyOf(line)) ?? open(line);
    if (connection !== undefined) return use(connection);
    waiting.push({ line, use });
    later(serve);
  }

  function takeRested(key: string): Connection | undefined {
    const sinceMs = clock.monotonic() - restMs;
    const rested = freeOf.get(key)?.findLast((one) => isFreeSince(one, sinceMs));
    if (rested !== undefined) occupy(rested);
    return rested;
  }

  function open(line: Line): Connection | undefined {
    const key = keyOf(line);
    if (all.size >= connectionsMax) {
      const [oldest] = free;
      // One of its own needs nothing but its rest.
      if (oldest === undefined || freeOf.has(key)) return undefined;
      drop(oldest);
    }
    const connection: Kept = {
      client: openClient(line.reads, (socket) => watch(connection, socket)),
      ...{ key, isOpen: false, freeSinceMs: undefined },
    };
    connection.client.on('disconnect', (_origin, _targets, error) => {
      connection.isOpen = false;
      if (connection.freeSinceMs === undefined) return;
      drop(connection);
      if (isBeyondAnswer(error)) dropAllFree();
    });
    all.set(connection.client, connection);
    return connection;
  }

  /** Reads what comes while no call waits for anything, before the library does. */
  function watch(connection: Kept, socket: Socket) {
    connection.isOpen = true;
    socket.on('readable', () => {
      if (connection.freeSinceMs === undefined || socket.readableLength === 0) return;
      const bytes: unknown = socket.read();
      drop(connection);
      socket.destroy();
      if (!isFarewell(bytes)) dropAllFree();
    });
  }

  /** Where one answer was more than was asked for, what the other connections hold is in doubt. */
  function dropAllFree() {
    for (const connection of [...free]) drop(connection);
    onUnsolicited();
  }

  function giveBack(connection: Connection) {
    const kept = all.get(connection.client);
    if (kept === undefined) return;
    if (kept.isOpen) release(kept);
    else drop(kept);
    if (waiting.length === 0) return;
    // Not at once, since the library is still at the end of the exchange before.
    queueMicrotask(serve);
    later(serve);
  }

  function release(connection: Kept) {
    connection.freeSinceMs = clock.monotonic();
    free.add(connection);
    const mine = freeOf.get(connection.key) ?? [];
    mine.push(connection);
    freeOf.set(connection.key, mine);
    if (mine.length > idleOfAppMax) trimLater(connection.key);
    if (free.size <= idleMax) return;
    const [oldest] = free;
    if (oldest !== undefined) drop(oldest);
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
    const surplus = mine.slice(idleOfAppMax).filter((one) => isFreeSince(one, sinceMs)).length;
    for (const connection of mine.slice(0, surplus)) drop(connection);
    if (mine.length > idleOfAppMax) trimLater(key);
  }

  function serve() {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const connection = takeRested(keyOf(next.line)) ?? open(next.line);
      if (connection === undefined) return;
      waiting.shift();
      next.use(connection);
    }
  }

  /** A timer may be a little early, and one that is as early as it may be would find nothing. */
  function later(run: () => void) {
    clock.after(restMs + 1, run, { keepAlive: true });
  }

  function occupy(connection: Kept) {
    connection.freeSinceMs = undefined;
    free.delete(connection);
    const mine = freeOf.get(connection.key) ?? [];
    const index = mine.lastIndexOf(connection);
    if (index >= 0) mine.splice(index, 1);
    if (mine.length === 0) freeOf.delete(connection.key);
  }

  function drop(connection: Kept) {
    occupy(connection);
    all.delete(connection.client);
    void connection.client.destroy();
  }

  async function close() {
    const ended = [...all.keys()].map((client) => client.destroy());
    const client = new Client(origin);
    closed = { client };
    ended.push(client.destroy());
    for (const { use } of waiting.splice(0)) use(closed);
    await Promise.all(ended);
  }
}

/** No app's name has the end of a line in it. */
function keyOf({ app, reads }: Line): string {
  return reads === 'whole' ? app : `\n${app}`;
}

function isFreeSince({ freeSinceMs }: Kept, ms: number): boolean {
  return freeSinceMs !== undefined && freeSinceMs <= ms;
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
