import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Other programs may move, remove or empty an open store's files. */
export interface FileWatch {
  /**
   * For operators; undefined if the files are unchanged. Call before each commit: after a restart,
   * commits on other files are lost.
   */
  fault(): string | undefined;
  /**
   * Stores the log's current length as the reference. Returns its bytes, which a reset leaves
   * unchanged.
   */
  noteCommit(): number;
  /** Frames in the write-ahead log, and the number that is also in the database. */
  frames(): WalFrames;
  close(): void;
}

export interface WalFrames {
  readonly logged: number;
  readonly checkpointed: number;
}

/** Source: "WAL-mode File Format", sqlite.org, section 1. */
const walHeaderBytes = 32;
const frameHeaderBytes = 24;
const walMagics: readonly number[] = [0x377f0682, 0x377f0683];

/** Another process may reset the log between two checks, but not each time. */
const triesMax = 3;

/** Call right after opening. */
export function createFileWatch(database: DatabaseSync, path: string): FileWatch {
  const walPath = `${path}-wal`;
  const opened = { database: statOf(path), wal: statOf(walPath) };
  // Closing a second descriptor is safe: SQLite keeps no lock on this file.
  const wal = opened.wal === undefined ? undefined : openSync(walPath, 'r');
  let leastBytes = Number.POSITIVE_INFINITY;
  const frameBytes = frameHeaderBytes + pageBytesOf(database);
  const checkpointStatement = database.prepare('pragma wal_checkpoint(noop)');
  checkpointStatement.setReturnArrays(true);
  const header = Buffer.alloc(4);
  return {
    fault() {
      if (!isSameFile(statOf(path), opened.database)) return moved(path);
      const stats = statOf(walPath);
      if (!isSameFile(stats, opened.wal)) return moved(path);
      if (wal === undefined || (sizeOf(stats) >= leastBytes && hasHeader(wal))) return undefined;
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

  /** The length does not prove a truncation: another process may have reset the log before. */
  function faultOfLog(descriptor: number): string | undefined {
    for (let tries = 0; tries < triesMax; tries++) {
      const { logged } = frames();
      const stats = statOf(walPath);
      if (!isSameFile(stats, opened.wal)) return moved(path);
      if (logged > 0 && !hasFrames(descriptor, stats, logged)) continue;
      leastBytes = sizeOf(stats);
      return undefined;
    }
    return `${walPath} has lost committed data; restart the service, which closes the day for calls that might be lost`;
  }

  function frames(): WalFrames {
    const [, logged, checkpointed] = Object.values(checkpointStatement.get() ?? []);
    return { logged: Number(logged), checkpointed: Number(checkpointed) };
  }

  /**
   * SQLite's shared memory stores the count separately. A reset by any process is visible there
   * before the truncation; an emptied file is not.
   */
  function hasFrames(descriptor: number, stats: Stats | undefined, logged: number): boolean {
    return sizeOf(stats) >= walHeaderBytes + logged * frameBytes && hasHeader(descriptor);
  }

  /** A commit on an emptied file restores its length, with a hole at its start. */
  function hasHeader(descriptor: number): boolean {
    const bytes = readSync(descriptor, header, 0, header.length, 0);
    return bytes === header.length && walMagics.includes(header.readUInt32BE());
  }
}

function moved(path: string): string {
  return `the store at ${path} was moved or replaced; restore its files, or restart the service`;
}

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

function isSameFile(stats: Stats | undefined, opened: Stats | undefined): boolean {
  return stats?.ino === opened?.ino && stats?.dev === opened?.dev;
}

function sizeOf(stats: Stats | undefined): number {
  return stats?.size ?? 0;
}

function pageBytesOf(database: DatabaseSync): number {
  return Number(database.prepare('pragma page_size').get()?.page_size);
}
