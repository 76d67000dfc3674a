import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { OnLines } from '../audit-chain.ts';
import type { Query, Store, StoreError } from '../port.ts';
import { createClient } from './client.ts';
import type { Opened } from './messages.ts';
import { cannotOpen, type FileParts, prepareFile } from './prepare-file.ts';
import { createReader } from './reader.ts';
import { createTray } from './tray.ts';

/** What a batch leaves behind is little; V8 would let it come to 80 MB before it collects it. */
const maxYoungGenerationSizeMb = 8;

interface OpenParts extends FileParts {
  readonly onDeath: (error: StoreError) => void;
  readonly onLines?: OnLines | undefined;
}

/**
 * Opens the embedded store: SQLite on a thread of its own. Throws a StoreError when the file cannot
 * be opened. `onDeath` is called when the thread ends by itself, after all that waited has failed.
 */
export async function openSqliteStore(parts: OpenParts): Promise<Store> {
  const { path, ring } = prepareFile(parts);
  const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
  const tray = createTray();
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: { path, keys: ring.keys(), tray: tray.memory },
    resourceLimits: { maxYoungGenerationSizeMb },
  });
  const [first]: Opened[] = await once(worker, 'message');
  if (first?.kind !== 'opened') {
    await worker.terminate();
    throw cannotOpen(path, `${first?.error}`);
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
