import type { KeyRing } from '../../lib/key-ring.ts';
import type { Log } from '../../lib/log.ts';
import { StoreError } from '../port.ts';
import { placeOf } from './place.ts';
import { makePrivateFile, openFileWarning } from './private-file.ts';
import { openRing } from './ring-file.ts';

/** Where the file of a store is to be, and what seals it. */
export interface FileParts {
  readonly path: string;
  readonly log: Log;
  /** The operator's; else the store's own. */
  readonly ring?: KeyRing | undefined;
}

/**
 * The file of a store before it is opened: where it really is, for its owner alone, and with what
 * seals it. Throws a StoreError for one that cannot be a store.
 */
export function prepareFile(parts: FileParts): { readonly path: string; readonly ring: KeyRing } {
  const path = placeOf(parts.path);
  makePrivateFile(path);
  const warning = openFileWarning(path);
  if (warning !== undefined) parts.log.warn({}, warning);
  return { path, ring: openRing(path, parts.ring, parts.log) };
}

/** Why the file could not be opened. */
export function cannotOpen(path: string, why: string): StoreError {
  return new StoreError(`cannot open the store ${path}: ${why}`);
}
