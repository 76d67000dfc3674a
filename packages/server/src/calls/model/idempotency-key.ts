import { createHash, hash } from 'node:crypto';
import type { AdoptionClaim } from '../../books/claims.ts';
import { openAnswer, type SealedFor, sealAnswer } from './seal.ts';

/** A caller's idempotency key, and the request that it stands for. */
export interface IdempotencyKey {
  /** What is stored of the key. */
  readonly keyHash: string;
  /** Of method, path and body: another request under the same key is refused. */
  readonly fingerprint: string;
  /** Set where the caller has sent none: see `adoption.ts`. */
  readonly adoption?: AdoptionClaim | undefined;
  /** Hides an answer from all that do not have the key, or not the ring. */
  seal(place: SealedFor, body: string): string;
  /** Undefined for what cannot be opened: another's, broken, or of a key that the ring lacks. */
  open(place: SealedFor, stored: string): string | undefined;
}

/** A call under a key: what was kept of it is opened with them, and the ring, alone. */
export interface KeyedCall {
  readonly app: string;
  readonly key: IdempotencyKey;
  readonly callId: string;
}

/** The key that the caller has sent. */
export function sentKey({
  idempotencyKey: key,
}: {
  readonly idempotencyKey: IdempotencyKey | undefined;
}): IdempotencyKey | undefined {
  return key?.adoption === undefined ? key : undefined;
}

/** Reads a key from a request. Source: contract, section 1. */
export function createIdempotencyKey(parts: {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array;
}): IdempotencyKey {
  const { key, method, path, body } = parts;
  const request = createHash('sha256').update(`${method} ${path}\n`).update(body);
  return {
    // They are in four tables: a third shorter than in hex.
    keyHash: hash('sha256', key, 'base64url'),
    fingerprint: request.digest('base64url'),
    seal: (place, text) => sealAnswer(place, key, text),
    open: (place, stored) => openAnswer(place, key, stored),
  };
}
