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

export interface SideFile {
  readonly store: string;
  readonly epoch: number;
  readonly isClean: boolean;
}

export function sideFileOf(path: string): string {
  return `${path}.epoch`;
}

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

/** Writes all or nothing, durably. */
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
 * In place, which is fast: all texts have one length within a sector. A power loss may leave the
 * older text, which detects less, never too much.
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
