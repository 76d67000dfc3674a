import assert from 'node:assert';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { lowerThreadPriority } from '../../../lib/thread-priority.ts';
import type { SqlRow, Statement } from '../../port/port.ts';
import { sqliteText } from '../file/damage.ts';
import { prepareStatement } from '../file/prepare-statement.ts';

export interface ReadRequest {
  readonly id: number;
  readonly statement: Statement;
}

export interface Read {
  readonly id: number;
  readonly rows?: readonly SqlRow[];
  readonly end?: 'whole' | { readonly error: string };
}

// Each query is one statement and its own transaction, so none blocks the log's reset for longer.
const port = parentPort;
assert(port !== null, 'this file must be run as a worker thread');
const path: unknown = workerData?.path;
assert(typeof path === 'string', 'the worker gets the path of its database');
const rowsMax: unknown = workerData.rowsMax;
assert(typeof rowsMax === 'number', 'the worker gets the maximum rows of a query');

const busyMs = 5_000;
let database: DatabaseSync | undefined;
let prepared: { readonly sql: string; readonly statement: StatementSync } | undefined;
lowerThreadPriority();

port.on('message', ({ id, statement }: ReadRequest) => {
  const sendRows = (rows: readonly SqlRow[]) => port.postMessage({ id, rows } satisfies Read);
  try {
    read(statement, sendRows);
    port.postMessage({ id, end: 'whole' } satisfies Read);
  } catch (error) {
    port.postMessage({ id, end: { error: sqliteText(error) } } satisfies Read);
  }
});

/** The receiver does other work between two lots. */
const lotRows = 1_000;

function read({ sql, values }: Statement, sendRows: (rows: readonly SqlRow[]) => void) {
  database ??= new DatabaseSync(String(path), { readOnly: true, timeout: busyMs });
  if (prepared?.sql !== sql) prepared = { sql, statement: prepareStatement(database, sql) };
  let lot: SqlRow[] = [];
  let rowsLeft = Number(rowsMax);
  for (const row of prepared.statement.iterate(...values)) {
    if (rowsLeft-- === 0) throw new Error(`more than ${rowsMax} rows; request less`);
    if (lot.push(row) < lotRows) continue;
    sendRows(lot);
    lot = [];
  }
  sendRows(lot);
}
