import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/** A secret of the operator, and the name by which what it has sealed finds it again. */
export interface RingKey {
  readonly id: string;
  readonly secret: string;
}

/** The secrets of the operator: the newest one seals, all of them open. */
export interface KeyRing {
  /** The id of the key that seals. */
  readonly newest: string;
  /**
   * 32 bytes for one purpose: HKDF-SHA-256 (RFC 5869) over a key's secret, without a salt;
   * undefined where the ring has no key of this id. `info` says the purpose, and of what.
   */
  derive(id: string, info: string): Buffer | undefined;
  /** For another thread of this process, and for nothing else. */
  keys(): readonly RingKey[];
}

/** A ring of these keys, newest first. Nothing that prints or copies it shows a secret. */
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

/** No more than a hash's 32 bytes is ever derived: there is one block. */
const firstBlock = Uint8Array.of(1);

function extract(secret: string): Buffer {
  return createHmac('sha256', Buffer.alloc(32)).update(secret).digest();
}

/** A key of a new secret. */
export function newRingKey(): RingKey {
  const id = randomBytes(4).toString('hex');
  return { id: `made-${id}`, secret: randomBytes(32).toString('base64url') };
}

/** What a ring is written as, or what is wrong with it: never with a part of it. */
export type ReadRing = { readonly keys: readonly [RingKey, ...RingKey[]] } | { problem: string };

const idPattern = /^[\w-]{1,32}$/;
const secretPattern = /^[\x21-\x7e]+$/;
const secretCharactersMin = 32;
const differentCharactersMin = 8;

/** Reads `id:secret` for each key, newest first, with commas or line breaks between. */
export function readRing(text: string): ReadRing {
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
  if (before.some((other) => other.id === id)) return 'has the id of another one';
  if (secret.length < secretCharactersMin) {
    return `has a secret of ${secret.length} characters, and must have ${secretCharactersMin}: take what "openssl rand -hex 32" prints`;
  }
  if (!secretPattern.test(secret)) return 'must have a secret of printable ASCII without blanks';
  if (new Set(secret).size >= differentCharactersMin) return undefined;
  return `has a secret of fewer than ${differentCharactersMin} different characters: take what "openssl rand -hex 32" prints`;
}
