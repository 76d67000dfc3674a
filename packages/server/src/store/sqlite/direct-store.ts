import { type Store, StoreError } from '../port/port.ts';
import { storable } from '../port/storable.ts';
import { type Opening, openSqliteEngine } from './engine.ts';
import { sqliteText } from './file/damage.ts';

/**
 * The calling thread waits for the disk: for one command, and tests. Accepts `:memory:`. Throws as
 * {@link openSqliteEngine} does.
 */
export function openDirectStore(path: string, opening: Partial<Opening> = {}): Store {
  const engine = openSqliteEngine(path, opening);
  const read: Store['read'] = async ({ sql, values, map }) =>
    map(asked(() => engine.read({ sql, values })));
  return storable({
    ...{ kind: 'sqlite', isShared: false },
    ring: opening.ring,
    commit: async (batch) => engine.commit(batch),
    read,
    readAside: read,
    write: async (statements) => asked(() => engine.write(statements)),
    close: async () => engine.close(),
  });
}

function asked<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new StoreError(sqliteText(cause), { cause });
  }
}
