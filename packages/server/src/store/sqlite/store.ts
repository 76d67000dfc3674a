import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createKeyRing } from '../../lib/key-ring.ts';
import type { Log } from '../../lib/log.ts';
import type { Query, Store, StoreError, StoreShare } from '../port/port.ts';
import { storable } from '../port/storable.ts';
import type { OnLines } from '../schema/audit-chain.ts';
import { type Client, createClient } from './client.ts';
import { cannotOpen, type FileParts, prepareFile } from './file/prepare-file.ts';
import type { Opened } from './messages.ts';
import { createReader } from './reader/reader.ts';

/** A batch leaves little garbage; V8 would collect only at 80 MB. */
const maxYoungGenerationSizeMb = 8;

interface OpenParts extends FileParts {
  readonly onDeath: (error: StoreError) => void;
  readonly onLines?: OnLines | undefined;
  readonly isShared?: boolean | undefined;
}

/**
 * Runs on its own thread. Throws a StoreError when the file cannot be opened. `onDeath` is called
 * when the thread ends by itself, after all pending requests failed.
 */
export async function openSqliteStore(parts: OpenParts): Promise<Store> {
  const { path, ring } = prepareFile(parts);
  const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
  const keys = ring.keys();
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: { path, keys },
    resourceLimits: { maxYoungGenerationSizeMb },
  });
  const [first]: Opened[] = await once(worker, 'message');
  if (first?.kind !== 'opened') {
    await worker.terminate();
    throw cannotOpen(path, `${first?.error}`);
  }
  const { join, acquire, ...client } = createClient(worker, parts);
  const { isShared = false } = parts;
  const store = { ...withReaders(client, path), isShared, ring };
  if (!isShared) return store;
  const share = async () => ({ port: await join(), path, keys });
  return { ...store, acquire, share };
}

/** `onDeath`: see {@link openSqliteStore}. */
export function joinSqliteStore(
  share: StoreShare,
  parts: { readonly onDeath: (error: StoreError) => void; readonly log: Log },
): Store {
  const { port, path, keys } = share;
  const { join: _, acquire, ...client } = createClient(port, parts);
  const { epochs: __, ...ledger } = client;
  const [newest, ...older] = keys;
  return {
    ...{ ...withReaders(ledger, path), isShared: true, acquire },
    ...(newest && { ring: createKeyRing([newest, ...older]) }),
  };
}

/** Two more threads: short reads must not wait for reads of minutes. */
function withReaders<Ledger extends Omit<Client, 'join' | 'acquire' | 'epochs'>>(
  ledger: Ledger,
  path: string,
): Ledger & Pick<Store, 'readForOperator'> {
  const quick = createReader(path);
  const long = createReader(path);
  const readForOperator = <T>(query: Query<T>) => (query.isLong ? long : quick).read(query);
  return storable({
    ...ledger,
    read: (query) => (query.isLong ? long : ledger).read(query),
    readForOperator,
    async close() {
      // Only the last to close the database removes its log.
      await Promise.all([quick.close(), long.close()]);
      await ledger.close();
    },
  });
}
