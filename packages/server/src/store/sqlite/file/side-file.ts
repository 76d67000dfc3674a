import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { privateFileMode } from './private-file.ts';

/** What the file beside a store says of the store that was served last at this place. */
export interface SideFile {
  readonly store: string;
  readonly epoch: number;
  /** True when that service has ended in order. */
  readonly isClean: boolean;
}

/** The name of the file beside a store. */
export function sideFileOf(path: string): string {
  return `${path}.epoch`;
}

/** Reads the file; undefined when there is none, `unreadable` when it says nothing. */
export function readSideFile(file: string): SideFile | 'unreadable' | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const [store = '', epoch = '', end = ''] = text.trim().split(' ');
  const isKnown = store !== '' && /^\d{1,15}$/.test(epoch) && ['clean', 'open'].includes(end);
  return isKnown ? { store, epoch: Number(epoch), isClean: end === 'clean' } : 'unreadable';
}

/** Writes the file anew, whole or not at all whatever fails within, and on the disk. */
export function writeSideFile(file: string, side: SideFile) {
  const next = `${file}.next`;
  const descriptor = openSync(next, 'w', privateFileMode);
  try {
    writeSync(descriptor, textOf(side));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, file);
}

/**
 * Writes over a file that is there, which takes no time: all texts are as long, and within a
 * sector. A loss of power may leave the one before: an older one finds out less, never too much.
 */
export function updateSideFile(file: string, side: SideFile) {
  if (!existsSync(file)) return writeSideFile(file, side);
  const descriptor = openSync(file, 'r+');
  try {
    writeSync(descriptor, textOf(side), 0);
  } finally {
    closeSync(descriptor);
  }
}

function textOf({ store, epoch, isClean }: SideFile): string {
  return `${store} ${String(epoch).padStart(15, '0')} ${isClean ? 'clean' : 'open '}\n`;
}
