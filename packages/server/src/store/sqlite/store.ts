import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { KeyRing } from '../../lib/key-ring.ts';
import type { Log } from '../../lib/log.ts';
import type { OnLines } from '../audit-chain.ts';
import { type Query, type Store, StoreError } from '../port.ts';
import type { Ask, Opened, Reply, Told, Trouble } from './messages.ts';
import { packOperation } from './pack-operation.ts';
import { unpackResults } from './pack-results.ts';
import { placeOf } from './place.ts';
import { makePrivateFile, openFileWarning } from './private-file.ts';
import { createReader } from './reader.ts';
import { openRing } from './ring-file.ts';

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
type Expected<Kind extends Reply['kind']> = Extract<Reply, { kind: Kind }>;

/**
 * Opens the embedded store: SQLite on a thread of its own. Throws a StoreError when the file cannot
 * be opened. `onDeath` is called when the thread ends by itself, after all that waited has failed.
 */
export async function openSqliteStore(parts: {
  readonly path: string;
  readonly onDeath: (error: StoreError) => void;
  readonly log: Log;
  /** The operator's; else the store's own. */
  readonly ring?: KeyRing | undefined;
  readonly onLines?: OnLines | undefined;
}): Promise<Store> {
  const path = placeOf(parts.path);
  makePrivateFile(path);
  const warning = openFileWarning(path);
  if (warning !== undefined) parts.log.warn({}, warning);
  const ring = openRing(path, parts.ring, parts.log);
  const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: { path, keys: ring.keys() },
  });
  const [first]: Opened[] = await once(worker, 'message');
  if (first?.kind !== 'opened') {
    await worker.terminate();
    throw new StoreError(`cannot open the store ${path}: ${first?.error}`);
  }
  return { ...withReaders(createClient(worker, parts), path), ring };
}

/** Two threads more, so that what is read in a moment does not wait for what takes minutes. */
function withReaders(ledger: Omit<Store, 'readAside'>, path: string): Store {
  const quick = createReader(path);
  const long = createReader(path);
  const readAside = <T>(query: Query<T>) => (query.isLong ? long : quick).read(query);
  return {
    ...ledger,
    read: (query) => (query.isLong ? long : ledger).read(query),
    readAside,
    async close() {
      // Who closes the database last leaves it without a log.
      await Promise.all([quick.close(), long.close()]);
      await ledger.close();
    },
  };
}

function createClient(
  worker: Worker,
  {
    onDeath,
    onLines,
    log,
  }: {
    readonly onDeath: (error: StoreError) => void;
    readonly onLines?: OnLines | undefined;
    readonly log: Log;
  },
): Omit<Store, 'readAside'> {
  const waiting = new Map<number, (reply: Reply) => void>();
  let asked = 0;
  let isClosed = false;
  worker.on('message', (reply: Reply | Trouble | Told) => {
    if (reply.kind === 'lines') return onLines?.(reply.lines);
    if (reply.kind === 'trouble') {
      log.error({ error: reply.error }, 'the upkeep of the store did not go through');
      return;
    }
    const settle = waiting.get(reply.id);
    waiting.delete(reply.id);
    settle?.(reply);
  });
  worker.on('error', (error) => die(`the store's thread failed: ${String(error)}`));
  worker.on('exit', () => die("the store's thread has ended"));

  return {
    kind: 'sqlite',
    async commit(batch) {
      const packed = batch.map(packOperation);
      const { results } = await ask('committed', { kind: 'commit', batch: packed });
      return unpackResults(batch, results);
    },
    async read({ sql, values, map }) {
      return map((await ask('rows', { kind: 'read', statement: { sql, values } })).rows);
    },
    async write(statements) {
      return (await ask('written', { kind: 'write', statements })).counts;
    },
    epochs: {
      look: async () => (await ask('seen', { kind: 'look' })).origin,
      begin: async (storeId) => void (await ask('done', { kind: 'begin', storeId })),
      end: async () => void (await ask('done', { kind: 'end' })),
    },
    async close() {
      if (isClosed) return;
      const closed = ask('closed', { kind: 'close' });
      isClosed = true;
      await closed;
    },
  };

  function ask<Kind extends Reply['kind']>(
    expected: Kind,
    message: WithoutId<Ask>,
  ): Promise<Expected<Kind>> {
    if (isClosed) return Promise.reject(new StoreError('the store is closed'));
    const id = asked++;
    return new Promise((resolve, reject) => {
      waiting.set(id, (reply) => {
        if (isKind(reply, expected)) resolve(reply);
        else reject(new StoreError(reply.kind === 'failed' ? reply.error : `odd ${reply.kind}`));
      });
      worker.postMessage({ ...message, id });
    });
  }

  function die(message: string) {
    if (isClosed) return;
    isClosed = true;
    for (const [id, settle] of waiting) settle({ id, kind: 'failed', error: message });
    waiting.clear();
    onDeath(new StoreError(message));
  }
}

function isKind<Kind extends Reply['kind']>(reply: Reply, kind: Kind): reply is Expected<Kind> {
  return reply.kind === kind;
}
