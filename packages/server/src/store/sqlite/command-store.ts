import { type Query, type Store, StoreError } from '../port/port.ts';
import { storable } from '../port/storable.ts';
import type { OnLines } from '../schema/audit-chain.ts';
import { type Opening, openSqliteEngine } from './engine.ts';
import { sqliteText } from './file/damage.ts';
import { cannotOpen, type FileParts, prepareFile } from './file/prepare-file.ts';
import { createReader } from './reader/reader.ts';

/**
 * On its own thread: a worker takes a quarter of a command's time. Long reads still use another
 * thread, which yields to a service's calls. Throws a StoreError when the file cannot be opened.
 */
export function openCommandStore(
  parts: FileParts & { readonly onLines?: OnLines | undefined },
): Store {
  const { path, ring } = prepareFile(parts);
  const { onLines } = parts;
  const direct = open(path, { ring, ...(onLines && { onLines }) });
  const long = createReader(path);
  const read = <T>(query: Query<T>) => (query.isLong ? long : direct).read(query);
  return storable({
    ...{ ...direct, read, readForOperator: read },
    async close() {
      // Only the last to close the database removes its log.
      await long.close();
      await direct.close();
    },
  });
}

function open(path: string, opening: Partial<Opening>): Store {
  try {
    return openDirectStore(path, opening);
  } catch (cause) {
    throw cannotOpen(path, sqliteText(cause));
  }
}

/**
 * The calling thread waits for the disk: for single commands, and tests. Accepts `:memory:`. Throws
 * like {@link openSqliteEngine}.
 */
export function openDirectStore(path: string, opening: Partial<Opening> = {}): Store {
  const engine = openSqliteEngine(path, opening);
  const read: Store['read'] = async ({ sql, values, map }) =>
    map(withStoreErrors(() => engine.read({ sql, values })));
  return storable({
    ...{ kind: 'sqlite', isShared: false },
    ring: opening.ring,
    commit: async (batch) => engine.commit(batch),
    read,
    readForOperator: read,
    write: async (statements) => withStoreErrors(() => engine.write(statements)),
    close: async () => engine.close(),
  });
}

function withStoreErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new StoreError(sqliteText(cause), { cause });
  }
}
