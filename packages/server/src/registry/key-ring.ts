import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../domain/registered-app.ts';
import type { RegisteredKey } from '../store/queries/registry-rows.ts';
import { keyLengthMax } from './key-format.ts';

/** Keys in memory; how long a look takes does not tell how near a guess has come. */
export interface KeyRing {
  /** The key of this text; undefined when there is none. */
  find(text: string): ApiKey | undefined;
  /** The key of this id; undefined when there is none. */
  ofId(id: string): ApiKey | undefined;
}

/** Whether two digests, which are equally long, are the same. */
export type IsSameDigest = (one: Uint8Array, another: Uint8Array) => boolean;

/** Looks at all of both, wherever they differ. */
export const isSameDigest: IsSameDigest = timingSafeEqual;

/**
 * Characters of a digest, as hex, that a key is found by. Only they are looked up in a way that
 * may take longer the more of them are right, and 32 bits of a digest are of no use.
 */
const startCharacters = 8;

/** A ring whose keys change. */
export interface ChangingKeyRing extends KeyRing {
  /** Adds a key that it is for, in place of the one with its id. */
  put(row: RegisteredKey): void;
  remove(id: string): void;
}

/** Of all rows those that are enabled, or else `isWanted`. ADR 0021. */
export function createKeyRing(
  rows: readonly RegisteredKey[],
  isSame: IsSameDigest = isSameDigest,
  isWanted = (row: RegisteredKey) => row.isEnabled,
): ChangingKeyRing {
  const byId = new Map<string, RegisteredKey>();
  const byStart = new Map<string, readonly RegisteredKey[]>();
  for (const row of rows) put(row);
  return { put, remove, ofId: (id) => byId.get(id), find };

  function put(row: RegisteredKey): void {
    remove(row.id);
    if (!isWanted(row)) return;
    byId.set(row.id, row);
    const start = startOf(row.hash);
    byStart.set(start, [...(byStart.get(start) ?? []), row]);
  }

  function remove(id: string): void {
    const row = byId.get(id);
    if (row === undefined) return;
    byId.delete(id);
    const start = startOf(row.hash);
    const left = byStart.get(start)?.filter((other) => other !== row) ?? [];
    if (left.length === 0) byStart.delete(start);
    else byStart.set(start, left);
  }

  function find(text: string): ApiKey | undefined {
    if (text.length > keyLengthMax) return undefined;
    const hex = hashKey(text);
    const digest = Buffer.from(hex, 'latin1');
    let found: ApiKey | undefined;
    for (const candidate of byStart.get(startOf(hex)) ?? []) {
      if (isSame(digest, Buffer.from(candidate.hash, 'latin1'))) found = candidate;
    }
    return found;
  }
}

/** What is stored and looked up instead of a key: SHA-256 as hex. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

function startOf(hex: string): string {
  return hex.slice(0, startCharacters);
}
