import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Looks at the files of an open store, which others may move, remove, or empty. */
export interface FileWatch {
  /**
   * Why nothing may be committed, for operators; undefined when the files are what was opened.
   * Asked before each commit: what is acknowledged on other files is found by no later start.
   */
  fault(): string | undefined;
  /**
   * Something was committed: the log is as long as it is now from here on. Answers its bytes, which
   * a reset leaves as they are.
   */
  noteCommit(): number;
  /** How much is in the write-ahead log, and how much of that in the database as well. */
  frames(): WalFrames;
  close(): void;
}

/** Pages in the write-ahead log. */
export interface WalFrames {
  readonly logged: number;
  readonly checkpointed: number;
}

/** Source: "WAL-mode File Format", sqlite.org, section 1. */
const walHeaderBytes = 32;
const frameHeaderBytes = 24;
const walMagics: readonly number[] = [0x377f0682, 0x377f0683];

/** Another process may reset the log between two looks, but not each time. */
const looksMax = 3;

/** Watches the database at `path`, where it was just opened, and its write-ahead log. */
export function createFileWatch(database: DatabaseSync, path: string): FileWatch {
  const walPath = `${path}-wal`;
  const opened = { database: statOf(path), wal: statOf(walPath) };
  // SQLite keeps no lock on this file that closing a second descriptor of it would lose.
  const wal = opened.wal === undefined ? undefined : openSync(walPath, 'r');
  let leastBytes = Number.POSITIVE_INFINITY;
  const frameBytes = frameHeaderBytes + pageBytesOf(database);
  const look = database.prepare('pragma wal_checkpoint(noop)');
  look.setReturnArrays(true);
  const header = Buffer.alloc(4);
  return {
    fault() {
      if (!isSameFile(statOf(path), opened.database)) return moved(path);
      const found = statOf(walPath);
      if (!isSameFile(found, opened.wal)) return moved(path);
      if (wal === undefined || (sizeOf(found) >= leastBytes && hasHeader(wal))) return undefined;
      return faultOfLog(wal);
    },
    noteCommit() {
      leastBytes = wal === undefined ? 0 : fstatSync(wal).size;
      return leastBytes;
    },
    frames,
    close() {
      if (wal !== undefined) closeSync(wal);
    },
  };

  /** Others have cut it, which is not to be told by its length: they may have reset it before. */
  function faultOfLog(descriptor: number): string | undefined {
    for (let looks = 0; looks < looksMax; looks++) {
      const { logged } = frames();
      const found = statOf(walPath);
      if (!isSameFile(found, opened.wal)) return moved(path);
      if (logged > 0 && !hasFrames(descriptor, found, logged)) continue;
      leastBytes = sizeOf(found);
      return undefined;
    }
    return `${walPath} has lost what was committed to it: start the service anew, which closes the day for what may be lost`;
  }

  function frames(): WalFrames {
    const [, logged, checkpointed] = Object.values(look.get() ?? []);
    return { logged: Number(logged), checkpointed: Number(checkpointed) };
  }

  /**
   * Whether the log has what SQLite knows to be in it, which shared memory keeps apart from it. A
   * reset by any process is known there before the file is cut; when the file is emptied, no
   * process is told.
   */
  function hasFrames(descriptor: number, found: Stats | undefined, logged: number): boolean {
    return sizeOf(found) >= walHeaderBytes + logged * frameBytes && hasHeader(descriptor);
  }

  /** A commit on an emptied file makes it as long as it was, with a hole at its beginning. */
  function hasHeader(descriptor: number): boolean {
    const bytes = readSync(descriptor, header, 0, header.length, 0);
    return bytes === header.length && walMagics.includes(header.readUInt32BE());
  }
}

function moved(path: string): string {
  return `the store is no longer at ${path}: put its files back, or start the service anew`;
}

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

function isSameFile(found: Stats | undefined, opened: Stats | undefined): boolean {
  return found?.ino === opened?.ino && found?.dev === opened?.dev;
}

function sizeOf(found: Stats | undefined): number {
  return found?.size ?? 0;
}

function pageBytesOf(database: DatabaseSync): number {
  return Number(database.prepare('pragma page_size').get()?.page_size);
}
