import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiKey } from '../domain/registered-app.ts';
import type { RegisteredKey } from '../store/queries/registry-rows.ts';
import { keyLengthMax } from './key-format.ts';

/** The duration of a look-up reveals nothing about near guesses. */
export interface KeyRing {
  find(text: string): ApiKey | undefined;
  ofId(id: string): ApiKey | undefined;
}

/** Digests of equal length. */
export type IsSameDigest = (one: Uint8Array, another: Uint8Array) => boolean;

export const isSameDigest: IsSameDigest = timingSafeEqual;

/**
 * Hex characters of a digest used for the look-up. Only this look-up may leak through its duration,
 * and 32 bits of a digest are useless.
 */
const startCharacters = 8;

export interface ChangingKeyRing extends KeyRing {
  put(row: RegisteredKey): void;
  remove(id: string): void;
}

/** Enabled rows only, or rows selected by `isIncluded`. ADR 0021. */
export function createKeyRing(
  rows: readonly RegisteredKey[],
  isSame: IsSameDigest = isSameDigest,
  isIncluded = (row: RegisteredKey) => row.isEnabled,
): ChangingKeyRing {
  const byId = new Map<string, RegisteredKey>();
  const byStart = new Map<string, readonly RegisteredKey[]>();
  for (const row of rows) put(row);
  return { put, remove, ofId: (id) => byId.get(id), find };

  function put(row: RegisteredKey): void {
    remove(row.id);
    if (!isIncluded(row)) return;
    byId.set(row.id, row);
    const start = row.hash.slice(0, startCharacters);
    byStart.set(start, [...(byStart.get(start) ?? []), row]);
  }

  function remove(id: string): void {
    const row = byId.get(id);
    if (row === undefined) return;
    byId.delete(id);
    const start = row.hash.slice(0, startCharacters);
    const remaining = byStart.get(start)?.filter((other) => other !== row) ?? [];
    if (remaining.length === 0) byStart.delete(start);
    else byStart.set(start, remaining);
  }

  function find(text: string): ApiKey | undefined {
    if (text.length > keyLengthMax) return undefined;
    const hex = hashKey(text);
    const digest = Buffer.from(hex, 'latin1');
    let match: ApiKey | undefined;
    for (const candidate of byStart.get(hex.slice(0, startCharacters)) ?? []) {
      if (isSame(digest, Buffer.from(candidate.hash, 'latin1'))) match = candidate;
    }
    return match;
  }
}

/** SHA-256 as hex, stored and looked up instead of the key. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}
