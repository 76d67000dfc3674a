import { createCipheriv, createDecipheriv, hash } from 'node:crypto';
import type { KeyRing } from '../../lib/key-ring.ts';

export interface SealContext {
  /** If undefined, only the idempotency key protects it. */
  readonly ring: KeyRing | undefined;
  readonly app: string;
  readonly callId: string;
}

const algorithm = 'aes-256-gcm';
const tagBytes = 16;
/** Each secret seals one answer, so a fixed nonce is safe. */
const nonce = Buffer.alloc(12);
/** Not a base64 character; marks answers sealed under a ring. */
const mark = '.';

/** Prefixed with the id of the ring's newest key. */
export function sealAnswer(context: SealContext, key: string, text: string): string {
  const { ring, callId } = context;
  if (ring === undefined) return encrypt(secretBefore(key, callId), undefined, text);
  const secret = secretOf(context, key, ring.newest);
  if (secret === undefined) throw new Error('a key ring has a newest key');
  return `${ring.newest}${mark}${encrypt(secret, boundTo(context), text)}`;
}

/** Also opens answers that were sealed before a ring existed. */
export function openAnswer(context: SealContext, key: string, stored: string): string | undefined {
  const end = stored.indexOf(mark);
  if (end === -1) return decrypt(secretBefore(key, context.callId), undefined, stored);
  const secret = secretOf(context, key, stored.slice(0, end));
  return secret && decrypt(secret, boundTo(context), stored.slice(end + 1));
}

/** HKDF over the ring's secret, app, call and idempotency key. */
function secretOf({ ring, app, callId }: SealContext, key: string, id: string): Buffer | undefined {
  return ring?.derive(id, JSON.stringify(['kept answer', app, callId, key]));
}

/**
 * Without a ring. The database contains the key's hash, so the secret must differ from it. A
 * guessable key protects nothing.
 */
function secretBefore(key: string, callId: string): Buffer {
  return hash('sha256', `${callId}\n${key}`, 'buffer');
}

function boundTo({ app, callId }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([app, callId]));
}

function encrypt(secret: Buffer, bound: Buffer | undefined, text: string): string {
  const cipher = createCipheriv(algorithm, secret, nonce);
  if (bound !== undefined) cipher.setAAD(bound);
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64');
}

function decrypt(secret: Buffer, bound: Buffer | undefined, stored: string): string | undefined {
  const bytes = Buffer.from(stored, 'base64');
  if (bytes.length < tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, secret, nonce, { authTagLength: tagBytes });
  if (bound !== undefined) decipher.setAAD(bound);
  decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
  try {
    const opened = [decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()];
    return Buffer.concat(opened).toString('utf8');
  } catch {
    // The tag fails for another secret and for changed bytes alike; the two cannot be
    // distinguished.
    return undefined;
  }
}
