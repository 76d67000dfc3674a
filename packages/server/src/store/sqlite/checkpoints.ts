import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lib/clock.ts';
import type { Epochs } from './epochs.ts';
import type { FileWatch } from './file/files.ts';

/**
 * A checkpoint stops commits for some 50 ms under full load. At 96 MB one commit in 150 meets one;
 * at 32 MB one in 60.
 */
const walFramesMax = 24_000;

/** SQLite then makes its checkpoints within a commit. */
export const checkpointByItself = 'pragma wal_autocheckpoint = 24000';
const checkpointOnRequest = 'pragma wal_autocheckpoint = 0';

/** Bounds what a quiet store loses with its log. */
const checkpointMs = 300_000;

/**
 * Asks for the log's size after so many bytes or writes, some 4 % of its limit. A look costs half a
 * commit.
 */
const checkBytes = 4_194_304;
const checkWrites = 256;

/** Of a served store: each begins an epoch. */
export interface Checkpoints {
  readonly epochs: Epochs;
  noteCommit(writes: number): void;
  /** Call after each commit, when no operation waits. */
  tidy(): void;
}

/** An unserved store, as a command's, uses SQLite's own checkpoints. */
export function createCheckpoints(parts: {
  readonly database: DatabaseSync;
  readonly files: FileWatch;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly epochs: Epochs;
}): Checkpoints {
  const { database, files, clock, epochs } = parts;
  let served = false;
  let last = { logged: 0, atMs: 0 };
  let seenBytes = 0;
  let bytes = 0;
  let writes = 0;
  return {
    epochs: {
      readOrigin: epochs.readOrigin,
      begin(storeId) {
        assertWhole();
        epochs.begin(storeId);
        setServed(true);
      },
      advance,
      end() {
        // Who has not begun knows nothing of the store, and must not say that it is in order.
        if (!served) return;
        assertWhole();
        epochs.end();
        setServed(false);
      },
    },
    noteCommit(count) {
      writes += count;
      bytes = files.noteCommit();
    },
    tidy() {
      if (!served) return;
      const isDue = clock.monotonic() - last.atMs >= checkpointMs;
      if (!isDue && writes < checkWrites && bytes - seenBytes < checkBytes) return;
      writes = 0;
      seenBytes = bytes;
      const { logged, checkpointed } = files.frames();
      // It begins at its first page again, once it is all in the database and is not read.
      if (logged < last.logged) last.logged = 0;
      const isFull = logged - last.logged >= walFramesMax;
      if (isFull || (isDue && checkpointed < logged)) advance();
    },
  };

  function advance() {
    try {
      assertWhole();
      epochs.advance();
    } finally {
      // One that fails is tried again in its time, and not after each commit.
      note();
    }
  }

  /** A checkpoint copies the log, and its lost parts as zeros. */
  function assertWhole() {
    const fault = files.fault();
    if (fault !== undefined) throw new Error(fault);
  }

  function setServed(isServed: boolean) {
    served = isServed;
    database.exec(isServed ? checkpointOnRequest : checkpointByItself);
    note();
  }

  function note() {
    last = { logged: files.frames().logged, atMs: clock.monotonic() };
  }
}
