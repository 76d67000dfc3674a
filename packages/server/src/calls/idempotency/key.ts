import { createCipheriv, createDecipheriv, createHash, hash } from 'node:crypto';
import type { AdoptionClaim } from '../../books/operations.ts';

/** A caller's idempotency key, and the request that it stands for. */
export interface IdempotencyKey {
  /** What is stored of the key. */
  readonly keyHash: string;
  /** Of method, path and body: another request under the same key is refused. */
  readonly fingerprint: string;
  /** Set where the caller has sent none: see `adoption.ts`. */
  readonly adoption?: AdoptionClaim | undefined;
  /** Hides an answer from all that do not have the key. */
  encrypt(callId: string, body: string): string;
  decrypt(callId: string, stored: string): string;
}

/** A call under a key: what was kept of it can be read with the two alone. */
export interface KeyedCall {
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
    encrypt: (callId, text) => encrypt(secretOf(key, callId), text),
    decrypt: (callId, stored) => decrypt(secretOf(key, callId), stored),
  };
}

const algorithm = 'aes-256-gcm';
const tagBytes = 16;
/** A secret encrypts one answer and nothing else, so the nonce need not differ. */
const nonce = Buffer.alloc(12);

/**
 * The hash of the key alone is in the database, so it cannot be the secret. A key that can be
 * guessed protects nothing.
 */
function secretOf(key: string, callId: string): Buffer {
  return hash('sha256', `${callId}\n${key}`, 'buffer');
}

function encrypt(secret: Buffer, text: string): string {
  const cipher = createCipheriv(algorithm, secret, nonce);
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64');
}

function decrypt(secret: Buffer, stored: string): string {
  const bytes = Buffer.from(stored, 'base64');
  const decipher = createDecipheriv(algorithm, secret, nonce);
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
  const opened = [decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()];
  return Buffer.concat(opened).toString('utf8');
}
