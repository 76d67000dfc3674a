import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import {
  createKeyRing,
  type KeyRing,
  newRingKey,
  type ParsedKeyRing,
  parseKeyRing,
} from '../../../lib/key-ring.ts';
import type { Log } from '../../../lib/log.ts';
import { StoreError } from '../../port/port.ts';
import { privateFileMode } from './private-file.ts';

export function ringFileOf(path: string): string {
  return `${path}.keys`;
}

/**
 * The operator's ring, followed by the file's keys, which still open what they sealed; else the
 * file's, created owner-only. Throws a StoreError for a file that is not a ring.
 */
export function openRing(path: string, operatorRing: KeyRing | undefined, log: Log): KeyRing {
  const file = ringFileOf(path);
  const made = statSync(file, { throwIfNoEntry: false }) !== undefined;
  if (operatorRing !== undefined && !made) return operatorRing;
  if (!made) makeRingFile(file);
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) !== 0) {
    const shown = mode.toString(8);
    log.warn(
      {},
      `key ring ${file} has mode ${shown}; other users can read its keys; run chmod 600 on it`,
    );
  }
  const [first, ...more] = ringOf(file, parseKeyRing(readFileSync(file, 'utf8')));
  if (operatorRing === undefined) return createKeyRing([first, ...more]);
  const [newest, ...older] = operatorRing.keys();
  if (newest === undefined) return operatorRing;
  const ids = new Set([newest, ...older].map(({ id }) => id));
  const behind = [first, ...more].filter(({ id }) => !ids.has(id));
  return createKeyRing([newest, ...older, ...behind]);
}

function ringOf(file: string, read: ParsedKeyRing) {
  if ('keys' in read) return read.keys;
  throw new StoreError(
    `${file} is not a valid key ring: ${read.problem}. Restore the key ring of the store's backup, or set MODEL_GATEWAY_KEYS`,
  );
}

/** Writes all or nothing. Of two concurrent processes, both use the first one's file. */
function makeRingFile(file: string) {
  const { id, secret } = newRingKey();
  const next = `${file}.${id}`;
  const descriptor = openSync(next, 'wx', privateFileMode);
  try {
    writeSync(descriptor, `${id}:${secret}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  try {
    linkSync(next, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(next, { force: true });
  }
}
