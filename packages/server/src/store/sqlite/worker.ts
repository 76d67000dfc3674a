import assert from 'node:assert';
import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads';
import { createKeyRing, type RingKey } from '../../lib/key-ring.ts';
import type { ChainedLine } from '../audit-chain.ts';
import { openSqliteEngine, type SqliteEngine } from './engine.ts';
import type { Ask, Opened, Reply, Told, Trouble, Usual } from './messages.ts';
import { type PackedOperation, unpackOperation } from './pack-operation.ts';
import { type PackedResults, packResults } from './pack-results.ts';
import { createTray } from './tray.ts';

// The thread that owns the database connection: commits wait for the disk here, and not on the
// thread that answers requests.
const port = parentPort;
assert(port !== null, 'this file runs as a worker thread');
const path: unknown = workerData?.path;
assert(typeof path === 'string', 'the worker is told the path of its database');
const [newest, ...older]: readonly RingKey[] = workerData.keys;

const tray = createTray(workerData.tray);

const engine = open(path);
if (engine !== undefined) serve(engine, port);

/**
 * Answers what is asked, in its order, until it is told to close. The thread sleeps between two
 * asks, and not in its event loop, which costs more to be woken in: so nothing here may wait for an
 * event.
 */
function serve(database: SqliteEngine, from: MessagePort) {
  for (let id = 0, isOpen = true; isOpen; id++) {
    tray.wait(id);
    const ask = nextAsk(id, from);
    const reply = answer(database, ask);
    const isUsual = reply.kind === 'committed' && reply.results.length === 0;
    from.postMessage(isUsual ? (id satisfies Usual) : reply);
    isOpen = ask.kind !== 'close';
    if (isOpen) tidy(database);
  }
  from.close();
}

function nextAsk(id: number, from: MessagePort): Ask {
  const batch = tray.take(id);
  if (batch !== undefined) return { id, kind: 'commit', batch };
  const received: { message: Ask } | undefined = receiveMessageOnPort(from);
  assert(
    received?.message.id === id,
    'what is asked is laid in the tray, or sent, before it counts',
  );
  return received.message;
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
