import { type Store, StoreError } from '../../src/store/port.ts';
import { type Opening, openSqliteEngine } from '../../src/store/sqlite/engine.ts';

/** SQLite as a store without a thread; `:memory:` is a path as well. */
export function openEngineStore(path: string, opening: Partial<Opening> = {}): Store {
  const engine = openSqliteEngine(path, opening);
  const read: Store['read'] = async ({ sql, values, map }) =>
    map(asked(() => engine.read({ sql, values })));
  return {
    kind: 'sqlite',
    ring: opening.ring,
    commit: async (batch) => engine.commit(batch),
    read,
    readAside: read,
    write: async (statements) => asked(() => engine.write(statements)),
    close: async () => engine.close(),
  };
}

function asked<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new StoreError(String(cause), { cause });
  }
}
