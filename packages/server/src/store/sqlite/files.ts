import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';

/** Looks at the files of an open store, which others may move, remove, or empty. */
export interface FileWatch {
  /**
   * Why nothing may be committed, for operators; undefined when the files are what was opened.
   * Asked before each commit: what is acknowledged on other files is found by no later start.
   */
  fault(): string | undefined;
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
  const opened = {
    database: identityOf(statOf(path)),
    wal: identityOf(statOf(walPath)),
  };
  // SQLite keeps no lock on this file that closing a second descriptor of it would lose.
  const wal = opened.wal === undefined ? undefined : openSync(walPath, 'r');
  const frameBytes = frameHeaderBytes + pageBytesOf(database);
  const look = database.prepare('pragma wal_checkpoint(noop)');
  look.setReturnArrays(true);
  const header = Buffer.alloc(4);
  return {
    fault() {
      if (identityOf(statOf(path)) !== opened.database) return moved(path);
      for (let looks = 0; looks < looksMax; looks++) {
        const { logged } = frames();
        const found = statOf(walPath);
        if (identityOf(found) !== opened.wal) return moved(path);
        if (wal === undefined || logged <= 0 || hasFrames(wal, found, logged)) return undefined;
      }
      return `${walPath} has lost what was committed to it: start the service anew, which closes the day for what may be lost`;
    },
    frames,
    close() {
      if (wal !== undefined) closeSync(wal);
    },
  };

  function frames(): WalFrames {
    const [, logged, checkpointed] = Object.values(look.get() ?? []);
    return { logged: Number(logged), checkpointed: Number(checkpointed) };
  }

  /**
   * Whether the log has what SQLite knows to be in it, which shared memory keeps apart from it. A
   * reset by any process is known there before the file is cut; who empties the file tells nobody.
   */
  function hasFrames(descriptor: number, found: Stats | undefined, logged: number): boolean {
    if ((found?.size ?? 0) < walHeaderBytes + logged * frameBytes) return false;
    // A commit on an emptied file makes it as long as it was, with a hole at its beginning.
    readSync(descriptor, header, 0, header.length, 0);
    return walMagics.includes(header.readUInt32BE());
  }
}

function moved(path: string): string {
  return `the store is no longer at ${path}: put its files back, or start the service anew`;
}

function statOf(file: string): Stats | undefined {
  return statSync(file, { throwIfNoEntry: false });
}

function identityOf(found: Stats | undefined): string | undefined {
  return found && `${found.dev} ${found.ino}`;
}

function pageBytesOf(database: DatabaseSync): number {
  return Number(database.prepare('pragma page_size').get()?.page_size);
}
