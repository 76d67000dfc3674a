import assert from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';
import { createKeyRing, type RingKey } from '../../lib/key-ring.ts';
import { openSqliteEngine, type SqliteEngine } from './engine.ts';
import { sqliteText } from './file/damage.ts';
import type { LinesMessage, Opened, Trouble } from './messages.ts';
import { serveRequests } from './serve-requests.ts';

// The thread that owns the database connection: commits wait for the disk here, not on the threads
// that answer requests.
const port = parentPort;
assert(port !== null, 'this file must be run as a worker thread');
const post = (message: Opened | LinesMessage | Trouble) => port.postMessage(message);
const path: unknown = workerData?.path;
assert(typeof path === 'string', 'the worker gets the path of its database');
const [newest, ...older]: readonly RingKey[] = workerData.keys;

const engine = open(path);
if (engine !== undefined) serveRequests(engine, { first: port, tidy: () => tidy(engine) });

function open(file: string): SqliteEngine | undefined {
  try {
    const ring = newest && createKeyRing([newest, ...older]);
    const onLines = (lines: LinesMessage['lines']) => post({ kind: 'lines', lines });
    const opened = openSqliteEngine(file, { ring, onLines });
    post({ kind: 'opened' });
    return opened;
  } catch (error) {
    post({ kind: 'not-opened', error: sqliteText(error) });
    return undefined;
  }
}

/** Runs after the response is sent. */
function tidy(database: SqliteEngine) {
  try {
    database.tidy();
  } catch (error) {
    post({ kind: 'trouble', error: sqliteText(error) });
  }
}
