import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { KeyRing } from '../../lib/key-ring.ts';
import type { Log } from '../../lib/log.ts';
import type { OnLines } from '../audit-chain.ts';
import { type Query, type Store, StoreError } from '../port.ts';
import { createClient } from './client.ts';
import type { Opened } from './messages.ts';
import { placeOf } from './place.ts';
import { makePrivateFile, openFileWarning } from './private-file.ts';
import { createReader } from './reader.ts';
import { openRing } from './ring-file.ts';
import { createTray } from './tray.ts';

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
  const tray = createTray();
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: { path, keys: ring.keys(), tray: tray.memory },
  });
  const [first]: Opened[] = await once(worker, 'message');
  if (first?.kind !== 'opened') {
    await worker.terminate();
    throw new StoreError(`cannot open the store ${path}: ${first?.error}`);
  }
  return { ...withReaders(createClient(worker, { ...parts, tray }), path), ring };
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
