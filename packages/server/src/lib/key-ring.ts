import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

export interface RingKey {
  readonly id: string;
  readonly secret: string;
}

/** The newest key seals; all keys open. */
export interface KeyRing {
  readonly newest: string;
  /**
   * 32 bytes by HKDF-SHA-256 (RFC 5869) without a salt; undefined for an unknown id. `info` must
   * name the purpose and its object.
   */
  derive(id: string, info: string): Buffer | undefined;
  /** Only for another thread of this process. */
  keys(): readonly RingKey[];
}

/** Newest first. Printing or copying the ring shows no secret. */
export function createKeyRing(keys: readonly [RingKey, ...RingKey[]]): KeyRing {
  const extracted = new Map<string, KeyObject>();
  for (const { id, secret } of keys) extracted.set(id, createSecretKey(extract(secret)));
  return {
    newest: keys[0].id,
    derive(id, info) {
      const key = extracted.get(id);
      return key && createHmac('sha256', key).update(info).update(firstBlock).digest();
    },
    keys: () => keys,
  };
}

/** A derived key has at most 32 bytes, so one block suffices. */
const firstBlock = Uint8Array.of(1);

function extract(secret: string): Buffer {
  return createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
}

export function newRingKey(): RingKey {
  const id = randomBytes(4).toString('hex');
  return { id: `made-${id}`, secret: randomBytes(32).toString('base64url') };
}

/** A problem never quotes the text. */
export type ParsedKeyRing =
  | { readonly keys: readonly [RingKey, ...RingKey[]] }
  | { problem: string };

const idPattern = /^[\w-]{1,32}$/;
const secretPattern = /^[\x21-\x7e]+$/;
const secretCharactersMin = 32;
const differentCharactersMin = 8;

/** `id:secret` pairs, newest first, separated by commas or line breaks. */
export function parseKeyRing(text: string): ParsedKeyRing {
  const parts = text.split(/[,\n]/).map((part) => part.trim());
  const keys: RingKey[] = [];
  for (const [index, part] of parts.filter((each) => each !== '').entries()) {
    const colon = part.indexOf(':');
    const key = { id: part.slice(0, Math.max(0, colon)), secret: part.slice(colon + 1) };
    const wrong = colon === -1 ? 'must be ID:SECRET' : faultOf(key, keys);
    if (wrong !== undefined) return { problem: `key ${index + 1} ${wrong}` };
    keys.push(key);
  }
  const [first, ...older] = keys;
  return first === undefined
    ? { problem: 'must have a key, ID:SECRET' }
    : { keys: [first, ...older] };
}

function faultOf({ id, secret }: RingKey, before: readonly RingKey[]): string | undefined {
  if (!idPattern.test(id)) return 'must have an id of 1–32 letters, digits, "_" and "-"';
  if (before.some((other) => other.id === id)) return 'has the id of another key';
  if (secret.length < secretCharactersMin) {
    return `has a secret of ${secret.length} characters; it needs at least ${secretCharactersMin}; generate one with "openssl rand -hex 32"`;
  }
  if (!secretPattern.test(secret)) return 'must have a secret of printable ASCII without blanks';
  if (new Set(secret).size >= differentCharactersMin) return undefined;
  return `has a secret of fewer than ${differentCharactersMin} different characters; generate one with "openssl rand -hex 32"`;
}
