import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { createBook } from '../../books/book.ts';
import { decide } from '../../books/decide.ts';
import { lockedKeysOf } from '../../books/locked-keys.ts';
import type { Operation } from '../../books/operations.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { KeyRing } from '../../lib/key-ring.ts';
import {
  isDecided,
  type OperationResult,
  type QuotaGrant,
  type QuotaRequest,
  type QuotaTime,
  type SqlRow,
  type Statement,
  StoreError,
} from '../port/port.ts';
import type { ChainedLine, OnLines } from '../schema/audit-chain.ts';
import { loadMigrations, type Migration } from '../schema/migrations.ts';
import { acquireQuota } from './acquire-quota.ts';
import { checkpointByItself, createCheckpoints } from './checkpoints.ts';
import { createEpochs, type Epochs, noteCopy } from './epochs.ts';
import { assertOwnDatabase, sqliteCodeOf, sqliteText } from './file/damage.ts';
import { createFileWatch } from './file/files.ts';
import { prepareStatement } from './file/prepare-statement.ts';
import { loadRows, type Prepare } from './ledger-rows.ts';
import { migrateSqlite } from './migrate.ts';
import { writeLines } from './write-lines.ts';
import { writeChanges } from './write-rows.ts';

/** Runs in the calling thread. */
export interface SqliteEngine {
  commit(batch: readonly Operation[]): readonly OperationResult[];
  read(statement: Statement): readonly SqlRow[];
  write(statements: readonly Statement[]): readonly number[];
  acquire(requests: readonly QuotaRequest[], time: QuotaTime): readonly QuotaGrant[];
  readonly epochs: Epochs;
  tidy(): void;
  close(): void;
}

export interface Opening {
  readonly migrations: readonly Migration[];
  /** Maximum wait for another process's file lock. */
  readonly busyMs: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly ring: KeyRing | undefined;
  readonly onLines: OnLines;
  /** Commits wait for the disk; false only in tests, which survive no power loss. */
  readonly isDurable: boolean;
}

/**
 * Every commit is on disk before its response. Throws a StoreError when the file is locked, or too
 * new for this service.
 */
export function openSqliteEngine(path: string, opening: Partial<Opening> = {}): SqliteEngine {
  const { migrations = loadMigrations('sqlite'), busyMs = 5_000, clock = systemClock } = opening;
  const { ring, onLines = () => undefined, isDurable = true } = opening;
  const database = new DatabaseSync(path, { timeout: busyMs });
  try {
    prepareDatabase(database, migrations, isDurable);
  } catch (cause) {
    database.close();
    throw sqliteCodeOf(cause) === busyCode ? new StoreError(isLocked, { cause }) : cause;
  }
  const prepare = createPrepare(database);
  const writer = { database, prepare, ring, onLines };
  const files = createFileWatch(database, path);
  const checkpoints = createCheckpoints({
    database,
    files,
    clock,
    epochs: createEpochs(database, path),
  });
  return {
    commit(batch) {
      const error = files.fault();
      if (error !== undefined) return batch.map(() => ({ ok: false, kind: 'unavailable', error }));
      const results = commit(writer, batch);
      checkpoints.noteCommit(batch.length);
      return results;
    },
    read: ({ sql, values }) => prepare(sql).all(...values),
    write: (statements) => change(statements.length, () => write(writer, statements)),
    acquire(requests, time) {
      const granted = () => ({ result: acquireQuota(prepare, requests, time), ...changed });
      return change(requests.length, () => transact(writer, granted));
    },
    epochs: checkpoints.epochs,
    tidy: checkpoints.tidy,
    close() {
      database.close();
      files.close();
    },
  };

  function change<T>(writes: number, work: () => T): T {
    const fault = files.fault();
    if (fault !== undefined) throw new Error(fault);
    const result = work();
    checkpoints.noteCommit(writes);
    return result;
  }
}

const changed = { shouldCommit: true, lines: [] } as const;

const isLocked =
  'it is locked by another process, and nothing was changed; stop that process or wait for it, then start again';

function prepareDatabase(
  database: DatabaseSync,
  migrations: readonly Migration[],
  isDurable: boolean,
) {
  assertOwnDatabase(database);
  const mode = database.prepare('pragma journal_mode').get()?.journal_mode;
  database.exec('pragma journal_mode = wal');
  database.exec(isDurable ? 'pragma synchronous = full' : 'pragma synchronous = off');
  database.exec(checkpointByItself);
  // Every store has a log from its first startup on; a copy by "vacuum into" has none.
  if (mode !== 'wal') noteCopy(database);
  migrateSqlite(database, migrations);
}

function createPrepare(database: DatabaseSync): Prepare {
  const prepared = new Map<string, StatementSync>();
  return (sql) => {
    const existing = prepared.get(sql);
    if (existing !== undefined) return existing;
    const statement = prepareStatement(database, sql);
    prepared.set(sql, statement);
    return statement;
  };
}

interface Writer extends Pick<Opening, 'ring' | 'onLines'> {
  readonly database: DatabaseSync;
  readonly prepare: Prepare;
}

interface Worked<T> {
  readonly result: T;
  readonly shouldCommit: boolean;
  readonly lines: readonly ChainedLine[];
}

/** If `work` throws, nothing is written. */
function transact<T>({ database, onLines }: Writer, work: () => Worked<T>): T {
  database.exec('begin immediate');
  try {
    const { result, shouldCommit, lines } = work();
    database.exec(shouldCommit ? 'commit' : 'rollback');
    if (shouldCommit && lines.length > 0) onLines(lines);
    return result;
  } catch (error) {
    // A full disk might already have ended the transaction.
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function commit(writer: Writer, batch: readonly Operation[]): readonly OperationResult[] {
  try {
    return commitTogether(writer, batch);
  } catch (error) {
    const failed = { ok: false, error: sqliteText(error) } as const;
    // A full disk or a locked file fails all operations: single retries would only wait again.
    if (!isBrokenPromise(error))
      return batch.map(() => ({ ...failed, kind: 'unavailable' as const }));
    if (batch.length === 1) return [{ ...failed, kind: 'invalid' }];
    // Only an invalid operation may fail, so each operation gets its own transaction.
    return batch.flatMap((operation) => commit(writer, [operation]));
  }
}

function commitTogether(writer: Writer, batch: readonly Operation[]): readonly OperationResult[] {
  const { prepare, ring } = writer;
  return transact(writer, () => {
    const book = createBook(loadRows(prepare, lockedKeysOf(batch)));
    const result = batch.map((operation) => {
      return { ok: true as const, outcome: decide(book, operation) };
    });
    const changes = book.changes();
    // A batch of rejections changes nothing, so it needs no disk.
    const shouldCommit = Object.values(changes).some((rows) => rows.length > 0);
    if (shouldCommit) writeChanges(prepare, changes);
    return { result, shouldCommit, lines: writeLines(prepare, changes.lines, ring) };
  });
}

function write(writer: Writer, statements: readonly Statement[]): readonly number[] {
  const { prepare, ring } = writer;
  return transact(writer, () => {
    const lines: ChainedLine[] = [];
    const result = statements.map(({ sql, values, line, locksRows }) => {
      if (locksRows) return 0;
      if (line === undefined) return Number(prepare(sql).run(...values).changes);
      lines.push(...writeLines(prepare, [line], ring));
      return 1;
    });
    return { result, shouldCommit: isDecided(statements, result), lines };
  });
}

/** Primary result codes that a retry cannot correct: 19 is a constraint. */
const brokenCodes = [1, 19, 20, 25];
const busyCode = 5;

/** A full disk or locked file is not an operation's fault, and may be temporary. */
function isBrokenPromise(error: unknown): boolean {
  const code = sqliteCodeOf(error);
  return code === undefined || brokenCodes.includes(code);
}
