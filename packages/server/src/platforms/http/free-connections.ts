import type { Client } from 'undici';
import type { Clock } from '../../lib/clock.ts';

/** A connection for one request at a time. */
export interface Kept {
  readonly client: Client;
  readonly app: string;
  /** Whose calls it is for. */
  readonly key: string;
  isOpen: boolean;
  /** When it was given back; undefined while it is in use. */
  freeSinceMs: number | undefined;
}

/** The connections of one origin that no call uses. */
export interface FreeConnections {
  /** The one of the key that was given back last, once it has rested; it is in use from then on. */
  take(key: string): Kept | undefined;
  add(connection: Kept): void;
  remove(connection: Kept): void;
  /** Drops the one that was free for longest; false: none, or the key's own need but their rest. */
  makeRoom(key: string): boolean;
  all(): readonly Kept[];
}

/**
 * How long a connection rests behind an answer. HTTP/1.1 has no ids: a second copy of the answer,
 * if it comes, is to meet a connection that waits for none. ADR 0031.
 */
export const restMs = 2;

/**
 * Free connections that are kept, of one key and of all. Those of a key are counted once no
 * call has taken them for as long as calls under load are apart: else a quarter of the calls of an
 * app with 100 at once would wait for a new connection.
 */
const idleOfKeyMax = 8;
const idleMax = 512;
const idleFromMs = 500;

/**
 * Free connections, `drop` being called for each that is above the bounds. The last is taken first:
 * those that the load has no need of any more end by themselves.
 */
export function createFreeConnections(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  drop: (connection: Kept) => void,
): FreeConnections {
  /** Those of all keys, and of each; the longest free come first. */
  const free = new Set<Kept>();
  const freeOf = new Map<string, Kept[]>();
  const trimming = new Set<string>();

  function take(key: string): Kept | undefined {
    const sinceMs = clock.monotonic() - restMs;
    const rested = freeOf.get(key)?.findLast((one) => isFreeSince(one, sinceMs));
    if (rested !== undefined) remove(rested);
    return rested;
  }

  function add(connection: Kept) {
    connection.freeSinceMs = clock.monotonic();
    free.add(connection);
    const mine = freeOf.get(connection.key) ?? [];
    mine.push(connection);
    freeOf.set(connection.key, mine);
    if (mine.length > idleOfKeyMax) trimLater(connection.key);
    const [oldest] = free;
    if (free.size > idleMax && oldest !== undefined) drop(oldest);
  }

  function remove(connection: Kept) {
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
    const surplus = mine.slice(idleOfKeyMax).filter((one) => isFreeSince(one, sinceMs)).length;
    for (const connection of mine.slice(0, surplus)) drop(connection);
    if (mine.length > idleOfKeyMax) trimLater(key);
  }

  return { take, add, remove, makeRoom, all: () => [...free] };
}

function isFreeSince({ freeSinceMs }: Kept, ms: number): boolean {
  return freeSinceMs !== undefined && freeSinceMs <= ms;
}
