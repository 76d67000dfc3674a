import type { Client } from 'undici';
import type { Clock } from '../../lib/clock.ts';

export interface Kept {
  readonly client: Client;
  readonly app: string;
  readonly key: string;
  isOpen: boolean;
  freeSinceMs: number | undefined;
}

export interface FreeConnections {
  /** The last returned connection of the key that has rested; it becomes in use. */
  take(key: string): Kept | undefined;
  add(connection: Kept): void;
  remove(connection: Kept): void;
  /** Drops the longest free one; false when there is none or the key's own only need rest. */
  makeRoom(key: string): boolean;
  all(): readonly Kept[];
}

/** HTTP/1.1 has no ids: a duplicate answer must meet a connection that waits for none. ADR 0031. */
export const restMs = 2;

/**
 * Per key and in total. A key's connections count only after idling longer than calls under load
 * are apart; otherwise a quarter of the calls of an app with 100 at once would wait for a new one.
 */
const idleOfKeyMax = 8;
const idleMax = 512;
const idleFromMs = 500;

/** Calls `drop` above the bounds. Takes the last returned first, so surplus ones time out. */
export function createFreeConnections(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  drop: (connection: Kept) => void,
): FreeConnections {
  /** The longest free come first. */
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
