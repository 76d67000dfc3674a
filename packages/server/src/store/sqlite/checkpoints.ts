import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lib/clock.ts';
import type { Epochs } from './epochs.ts';
import type { FileWatch } from './file/files.ts';

/**
 * A checkpoint stops commits for about 50 ms under full load. At 96 MB it delays one commit in 150;
 * at 32 MB one in 60.
 */
const walFramesMax = 24_000;

/** SQLite then makes its checkpoints within a commit. */
export const checkpointByItself = 'pragma wal_autocheckpoint = 24000';
const checkpointOnRequest = 'pragma wal_autocheckpoint = 0';

/** Limits what an idle store loses with its log. */
const checkpointMs = 300_000;

/**
 * Checks the log's size after this many bytes or writes, about 4 % of its limit. A check costs half
 * a commit.
 */
const checkBytes = 4_194_304;
const checkWrites = 256;

/** For a store in service. Each checkpoint begins an epoch. */
export interface Checkpoints {
  readonly epochs: Epochs;
  noteCommit(writes: number): void;
  /** Call after each commit, when no operation waits. */
  tidy(): void;
}

/** A store without a service, such as a command's, uses SQLite's own checkpoints. */
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
        // Before `begin`, this process must not report that the store is whole.
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
      // The log restarts at its first page when all of it is in the database and no reader uses it.
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
      // A failed checkpoint is retried on schedule, not after each commit.
      note();
    }
  }

  /** A checkpoint would copy lost parts of the log as zeros. */
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
