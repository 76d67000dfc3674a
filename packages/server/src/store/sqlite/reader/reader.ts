import { Worker } from 'node:worker_threads';
import { type Query, type SqlRow, type Statement, StoreError } from '../../port/port.ts';
import type { Asked, Read } from './worker.ts';

export interface Reader {
  read<T>(query: Query<T>): Promise<T>;
  close(): Promise<void>;
}

/** A thread that needs more ends without harm to others. */
const memoryMb = 512;
/** Of one reading: as many as a month may have users. */
const rowsMax = 2_000_000;
const waitingMax = 100;

/**
 * Opens on the first reading. A thread that ends fails its readings; the next one starts another:
 * calls do not need it.
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
      return map(await thread.ask({ sql, values }));
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
  ask(statement: Statement): Promise<readonly SqlRow[]>;
  end(): Promise<void>;
}

function createThread(worker: Worker, onEnd: () => void): Thread {
  const waiting = new Map<number, PromiseWithResolvers<readonly SqlRow[]> & { rows: SqlRow[] }>();
  let asked = 0;
  let isOver = false;
  worker.on('message', ({ id, rows = [], end }: Read) => {
    const reading = waiting.get(id);
    for (const row of rows) reading?.rows.push(row);
    if (end === undefined) return;
    waiting.delete(id);
    if (end === 'whole') reading?.resolve(reading.rows);
    else reading?.reject(new StoreError(end.error));
  });
  worker.on('error', (error) => ended(`the thread that reads the store failed: ${String(error)}`));
  worker.on('exit', () => ended('the thread that reads the store has ended'));
  return {
    ask(statement) {
      if (waiting.size >= waitingMax) {
        throw new StoreError(`${waitingMax} store queries are already waiting; try again later`);
      }
      const reading = { ...Promise.withResolvers<readonly SqlRow[]>(), rows: [] };
      const id = asked++;
      waiting.set(id, reading);
      worker.postMessage({ id, statement } satisfies Asked);
      return reading.promise;
    },
    async end() {
      ended('the store is closed');
      await worker.terminate();
    },
  };

  function ended(message: string) {
    if (isOver) return;
    isOver = true;
    for (const reading of waiting.values()) reading.reject(new StoreError(message));
    waiting.clear();
    onEnd();
  }
}
