import { statSync } from 'node:fs';
import type { Store } from '../../packages/server/src/store/port/port.ts';
import { big } from '../../packages/server/src/store/schema/columns.ts';

/** The size of a store on the disk, in MiB; `file` is its path if it is SQLite. */
export async function sizeOfStore(store: Store, file: string): Promise<number> {
  const bytes = store.kind === 'sqlite' ? statSync(file).size : await bytesOfServer(store);
  return bytes / 2 ** 20;
}

function bytesOfServer(store: Store): Promise<number> {
  return store.read({
    sql: 'select pg_database_size(current_database()) as bytes',
    values: [],
    map: ([row]) => (row === undefined ? 0 : Number(big(row, 'bytes'))),
  });
}
