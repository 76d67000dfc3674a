import { createHash, hash } from 'node:crypto';
import type { AdoptionClaim } from '../../books/claims.ts';
import { openAnswer, type SealContext, sealAnswer } from './seal.ts';

export interface IdempotencyKey {
  readonly keyHash: string;
  /** Covers method, path and body; a mismatch is rejected. */
  readonly fingerprint: string;
  readonly adoption?: AdoptionClaim | undefined;
  /** Opens only with the key and the ring. */
  seal(context: SealContext, body: string): string;
  /** Undefined if sealed under another key, damaged, or missing in the ring. */
  open(context: SealContext, stored: string): string | undefined;
}

export interface KeyedCall {
  readonly app: string;
  readonly key: IdempotencyKey;
  readonly callId: string;
}

/** Undefined for a key from an adoption. */
export function sentKey(key: IdempotencyKey): IdempotencyKey | undefined {
  return key.adoption === undefined ? key : undefined;
}

/** Contract, section 1. */
export function createIdempotencyKey(parts: {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array;
}): IdempotencyKey {
  const { key, method, path, body } = parts;
  const request = createHash('sha256').update(`${method} ${path}\n`).update(body);
  return {
    // Four tables contain it, and base64url is a third shorter than hex.
    keyHash: hash('sha256', key, 'base64url'),
    fingerprint: request.digest('base64url'),
    seal: (context, text) => sealAnswer(context, key, text),
    open: (context, stored) => openAnswer(context, key, stored),
  };
}
