import { Worker } from 'node:worker_threads';
import { type Query, type SqlRow, type Statement, StoreError } from '../../port/port.ts';
import type { Read, ReadRequest } from './worker.ts';

export interface Reader {
  read<T>(query: Query<T>): Promise<T>;
  close(): Promise<void>;
}

/** A thread that needs more ends without affecting others. */
const memoryMb = 512;
/** Per query: the maximum users of a month. */
const rowsMax = 2_000_000;
const waitingMax = 100;

/**
 * Opens on the first query. If its thread ends, its queries fail, and the next query starts
 * another: calls do not need it.
 */
export function createReader(path: string, start = startWorker): Reader {
  let thread: Thread | undefined;
  let isClosed = false;
  return {
    async read({ sql, values, map }) {
      if (isClosed) throw new StoreError('the store is closed');
      thread ??= createThread(start(path), () => {
        thread = undefined;
      });
      return map(await thread.run({ sql, values }));
    },
    async close() {
      isClosed = true;
      await thread?.end();
    },
  };
}

export function startWorker(path: string, limits = { rowsMax }): Worker {
  const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
  return new Worker(new URL(file, import.meta.url), {
    workerData: { path, ...limits },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
}

interface Thread {
  run(statement: Statement): Promise<readonly SqlRow[]>;
  end(): Promise<void>;
}

function createThread(worker: Worker, onEnd: () => void): Thread {
  const waiting = new Map<number, PromiseWithResolvers<readonly SqlRow[]> & { rows: SqlRow[] }>();
  let nextId = 0;
  let isOver = false;
  worker.on('message', ({ id, rows = [], end }: Read) => {
    const pending = waiting.get(id);
    for (const row of rows) pending?.rows.push(row);
    if (end === undefined) return;
    waiting.delete(id);
    if (end === 'whole') pending?.resolve(pending.rows);
    else pending?.reject(new StoreError(end.error));
  });
  worker.on('error', (error) => ended(`the thread that reads the store failed: ${String(error)}`));
  worker.on('exit', () => ended('the thread that reads the store has ended'));
  return {
    run(statement) {
      if (waiting.size >= waitingMax) {
        throw new StoreError(`${waitingMax} store queries are already waiting; try again later`);
      }
      const pending = { ...Promise.withResolvers<readonly SqlRow[]>(), rows: [] };
      const id = nextId++;
      waiting.set(id, pending);
      worker.postMessage({ id, statement } satisfies ReadRequest);
      return pending.promise;
    },
    async end() {
      ended('the store is closed');
      await worker.terminate();
    },
  };

  function ended(message: string) {
    if (isOver) return;
    isOver = true;
    for (const pending of waiting.values()) pending.reject(new StoreError(message));
    waiting.clear();
    onEnd();
  }
}
