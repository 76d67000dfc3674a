import assert from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';
import { createKeyRing, type RingKey } from '../../lib/key-ring.ts';
import type { ChainedLine } from '../audit-chain.ts';
import { openSqliteEngine, type SqliteEngine } from './engine.ts';
import type { Ask, Opened, Reply, Told, Trouble } from './messages.ts';
import { type PackedOperation, unpackOperation } from './pack-operation.ts';
import { type PackedResults, packResults } from './pack-results.ts';

// The thread that owns the database connection: commits wait for the disk here, and not on the
// thread that answers requests.
const port = parentPort;
assert(port !== null, 'this file runs as a worker thread');
const path: unknown = workerData?.path;
assert(typeof path === 'string', 'the worker is told the path of its database');
const [newest, ...older]: readonly RingKey[] = workerData.keys;

const engine = open(path);
if (engine !== undefined) {
  port.on('message', (ask: Ask) => {
    port.postMessage(answer(engine, ask));
    if (ask.kind === 'close') port.close();
    else tidy(engine);
  });
}

function open(file: string): SqliteEngine | undefined {
  try {
    const ring = newest && createKeyRing([newest, ...older]);
    const opened = openSqliteEngine(file, { ring, onLines: tell });
    port?.postMessage({ kind: 'opened' } satisfies Opened);
    return opened;
  } catch (error) {
    port?.postMessage({ kind: 'not-opened', error: textOf(error) } satisfies Opened);
    return undefined;
  }
}

function tell(lines: readonly ChainedLine[]) {
  port?.postMessage({ kind: 'lines', lines } satisfies Told);
}

/** The answer has been sent by now, so that it does not wait for this. */
function tidy(database: SqliteEngine) {
  try {
    database.tidy();
  } catch (error) {
    port?.postMessage({ kind: 'trouble', error: textOf(error) } satisfies Trouble);
  }
}

function answer(database: SqliteEngine, ask: Ask): Reply {
  const { id } = ask;
  try {
    switch (ask.kind) {
      case 'commit':
        return { id, kind: 'committed', results: commit(database, ask.batch) };
      case 'read':
        return { id, kind: 'rows', rows: database.read(ask.statement) };
      case 'write':
        return { id, kind: 'written', counts: database.write(ask.statements) };
      case 'look':
        return { id, kind: 'seen', origin: database.epochs.look() };
      case 'begin':
        database.epochs.begin(ask.storeId);
        return { id, kind: 'done' };
      case 'end':
        database.epochs.end();
        return { id, kind: 'done' };
      case 'close':
        database.close();
        return { id, kind: 'closed' };
    }
  } catch (error) {
    return { id, kind: 'failed', error: textOf(error) };
  }
}

function commit(database: SqliteEngine, batch: readonly PackedOperation[]): PackedResults {
  const operations = batch.map(unpackOperation);
  return packResults(operations, database.commit(operations));
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
