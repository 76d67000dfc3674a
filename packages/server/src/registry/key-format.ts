import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Ids } from '../lib/id.ts';

const prefix = 'mgk_';
const idCharacters = 12;
/** 28 characters of base62 carry 166 random bits. */
const secretCharacters = 28;
const checksumCharacters = 6;
const shape = new RegExp(
  `^${prefix}[0-9A-Za-z]{${idCharacters}}_[0-9A-Za-z]{${secretCharacters}}[0-9a-z]{${checksumCharacters}}$`,
);

/** A new key: `mgk_<id>_<secret><checksum>`. Only its hash is kept. */
export function makeKey(ids: Ids): { readonly id: string; readonly key: string } {
  const id = ids.secret(idCharacters);
  const body = `${prefix}${id}_${ids.secret(secretCharacters)}`;
  return { id, key: body + checksumOf(body) };
}

/** No key is longer. */
export const keyLengthMax = 256;
const foreignShape = new RegExp(`^[\\x21-\\x7e]{20,${keyLengthMax}}$`);

/**
 * Whether a text can be a key at all: ours have a checksum, and keys made elsewhere have 20–256
 * printable characters.
 */
export function isPossibleKey(key: string): boolean {
  if (!key.startsWith(prefix)) return foreignShape.test(key);
  if (!shape.test(key)) return false;
  return checksumOf(key.slice(0, -checksumCharacters)) === key.slice(-checksumCharacters);
}

/** What is stored and looked up instead of a key: SHA-256 as hex. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

function checksumOf(body: string): string {
  return crc32(body)
    .toString(36)
    .padStart(checksumCharacters + 1, '0')
    .slice(-checksumCharacters);
}
