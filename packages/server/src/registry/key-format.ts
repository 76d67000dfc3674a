import { crc32 } from 'node:zlib';
import type { Ids } from '../lib/id.ts';

const prefix = 'mgk_';
const runPrefix = 'mgr_';
const idCharacters = 12;
/** 28 characters of base62 carry 166 random bits. */
const secretCharacters = 28;
/** 43 carry 256: for sessions. */
const longSecretCharacters = 43;
const checksumCharacters = 6;
const shape = new RegExp(
  `^mg[krlst]_[0-9A-Za-z]{${idCharacters}}_(?:[0-9A-Za-z]{${secretCharacters}}|[0-9A-Za-z]{${longSecretCharacters}})[0-9a-z]{${checksumCharacters}}$`,
);

/** `mgk_<id>_<secret><checksum>`. Only its hash is stored. */
export function makeKey(ids: Ids): { readonly id: string; readonly key: string } {
  return makeWith(prefix, ids);
}

/** `mgr_` in the same format. */
export function makeRunKey(ids: Ids): string {
  return makeWith(runPrefix, ids).key;
}

export function isRunKey(key: string): boolean {
  return key.startsWith(runPrefix) && isWhole(key);
}

function makeWith(start: string, ids: Ids, characters = secretCharacters) {
  const id = ids.secret(idCharacters);
  const body = `${start}${id}_${ids.secret(characters)}`;
  return { id, key: body + checksumOf(body) };
}

/** `mgl`: codes of links; `mgs`: sessions; `mgt`: tokens. */
export type SecretKind = 'mgl' | 'mgs' | 'mgt';

/** In the format of a key; its id is not secret. */
export function makeSecret(
  kind: SecretKind,
  ids: Ids,
): { readonly id: string; readonly key: string } {
  return makeWith(`${kind}_`, ids, kind === 'mgs' ? longSecretCharacters : secretCharacters);
}

export function isSecretOf(kind: SecretKind, text: string): boolean {
  return text.startsWith(`${kind}_`) && isWhole(text);
}

export function readSecret(text: string): string {
  return text.slice(4, 4 + idCharacters);
}

/** Starts like a gateway key, but was mistyped or truncated. */
export function isBrokenKey(text: string): boolean {
  return (text.startsWith(prefix) || text.startsWith(runPrefix)) && !isWhole(text);
}

export const keyLengthMax = 256;
const foreignShape = new RegExp(`^[\\x21-\\x7e]{20,${keyLengthMax}}$`);

/** Gateway keys have a checksum; keys made elsewhere have 20–256 printable characters. */
export function isPossibleKey(key: string): boolean {
  // A run key comes only from creating a run.
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
