import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

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

/** Writes the file anew, whole or not at all, whatever fails within. */
export function writeSideFile(file: string, { store, epoch, isClean }: SideFile) {
  const next = `${file}.next`;
  const descriptor = openSync(next, 'w');
  try {
    writeSync(descriptor, `${store} ${epoch} ${isClean ? 'clean' : 'open'}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(next, file);
}
