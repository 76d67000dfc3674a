import { crc32 } from 'node:zlib';
import type { Ids } from '../lib/id.ts';

const prefix = 'mgk_';
const runPrefix = 'mgr_';
const idCharacters = 12;
/** 28 characters of base62 carry 166 random bits. */
const secretCharacters = 28;
const checksumCharacters = 6;
const shape = new RegExp(
  `^mg[kr]_[0-9A-Za-z]{${idCharacters}}_[0-9A-Za-z]{${secretCharacters}}[0-9a-z]{${checksumCharacters}}$`,
);

/** A new key: `mgk_<id>_<secret><checksum>`. Only its hash is kept. */
export function makeKey(ids: Ids): { readonly id: string; readonly key: string } {
  return makeWith(prefix, ids);
}

/** A new key of a run, `mgr_` in the same form. */
export function makeRunKey(ids: Ids): string {
  return makeWith(runPrefix, ids).key;
}

/** Whether a text can be the key of a run. */
export function isRunKey(key: string): boolean {
  return key.startsWith(runPrefix) && isWhole(key);
}

function makeWith(start: string, ids: Ids) {
  const id = ids.secret(idCharacters);
  const body = `${start}${id}_${ids.secret(secretCharacters)}`;
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
  // The key of a run is made with the run alone.
  if (isRunKey(key)) return false;
  return key.startsWith(prefix) ? isWhole(key) : foreignShape.test(key);
}

function isWhole(key: string): boolean {
  if (!shape.test(key)) return false;
  return checksumOf(key.slice(0, -checksumCharacters)) === key.slice(-checksumCharacters);
}

function checksumOf(body: string): string {
  return crc32(body)
    .toString(36)
    .padStart(checksumCharacters + 1, '0')
    .slice(-checksumCharacters);
}
