import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lib/clock.ts';
import type { Epochs } from './epochs.ts';
import type { FileWatch } from './file/files.ts';

/**
 * A checkpoint stops every commit while it lasts, under full load with keys for some 50 ms. With
 * 96 MB between two of them no more than one commit in 150 meets one; with 32 MB one in 60 did.
 */
const walFramesMax = 24_000;

/** The same for SQLite, which then makes its checkpoints within a commit. */
export const checkpointByItself = 'pragma wal_autocheckpoint = 24000';
const checkpointWhenAsked = 'pragma wal_autocheckpoint = 0';

/** A quiet store lies in its log alone for no longer: a lost log then costs no more than this. */
const checkpointMs = 300_000;

/**
 * How much is in the log is asked again once it is so much longer, or has taken so many writes:
 * some 4 % of what it may hold. A look costs as much as half a commit.
 */
const lookBytes = 4_194_304;
const lookWrites = 256;

/** The checkpoints of a store that is served: each begins an epoch. */
export interface Checkpoints {
  readonly epochs: Epochs;
  /** So many operations or statements were committed. */
  noteCommit(writes: number): void;
  /** Makes one that is due. Asked after each commit, when no operation waits. */
  tidy(): void;
}

/** A store that is not served, as by a command, is left to SQLite's own checkpoints. */
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
      look: epochs.look,
      begin(storeId) {
        assertWhole();
        epochs.begin(storeId);
        setOwn(true);
      },
      advance,
      end() {
        // Who has not begun knows nothing of the store, and must not say that it is in order.
        if (!served) return;
        assertWhole();
        epochs.end();
        setOwn(false);
      },
    },
    noteCommit(count) {
      writes += count;
      bytes = files.noteCommit();
    },
    tidy() {
      if (!served) return;
      const isLate = clock.monotonic() - last.atMs >= checkpointMs;
      if (!isLate && writes < lookWrites && bytes - seenBytes < lookBytes) return;
      writes = 0;
      seenBytes = bytes;
      const { logged, checkpointed } = files.frames();
      // It begins at its first page again, once it is all in the database and is not read.
      if (logged < last.logged) last.logged = 0;
      const isFull = logged - last.logged >= walFramesMax;
      if (isFull || (isLate && checkpointed < logged)) advance();
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

  /** A checkpoint copies what the log has, and what it has lost as zeros. */
  function assertWhole() {
    const fault = files.fault();
    if (fault !== undefined) throw new Error(fault);
  }

  function setOwn(isOwn: boolean) {
    served = isOwn;
    database.exec(isOwn ? checkpointWhenAsked : checkpointByItself);
    note();
  }

  function note() {
    last = { logged: files.frames().logged, atMs: clock.monotonic() };
  }
}
