import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../../src/compose/open-store.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { openRegistry, type Registry } from '../../../src/registry/registry.ts';
import type { Query, SqlRow, Statement, Store } from '../../../src/store/port/port.ts';
import { selectRevision } from '../../../src/store/queries/registry.ts';
import { selectChanges } from '../../../src/store/queries/registry-changes.ts';
import { openReplica } from '../../store/support/books.ts';
import { startPostgres } from '../../support/postgres.ts';
import { createTestClock } from '../../support/test-clock.ts';

/** A store of one test, and a function that removes it. */
export interface OpenedStore {
  readonly store: Store;
  remove(): Promise<void>;
}

/** Opens a new store of either kind. */
export const openings: readonly (readonly [string, () => Promise<OpenedStore>])[] = [
  [
    'SQLite',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'model-gateway-registry-'));
      const target = { kind: 'sqlite', path: join(folder, 'gateway.db') } as const;
      const onDeath = (error: Error) => {
        throw error;
      };
      const store = await openStore({ target, log: silentLog, onDeath });
      const remove = async () => {
        await store.close();
        await rm(folder, { recursive: true, force: true });
      };
      return { store, remove };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const server = await startPostgres();
      const store = await openReplica(await server.database());
      const remove = async () => {
        await store.close();
        await server.close();
      };
      return { store, remove };
    },
  ],
];

/** A registry that reads its store only when it is refreshed: no time passes. */
export function openOn(store: Store): Promise<Registry> {
  const beforeChange = async () => undefined;
  const parts = { log: silentLog, company: 'acme', beforeChange };
  return openRegistry({ ...parts, store, clock: createTestClock() });
}

/** The queries of a store, and the number of returned rows. */
export interface Counts {
  rows: number;
  /** Operator queries on their connection: only a read of all rows has any. */
  operatorReads: number;
}

/** Counts the reads of a store; `onOperatorRead` runs before each operator query. */
export function countReads(
  store: Store,
  onOperatorRead: (count: number) => Promise<void> = async () => undefined,
): Store & { readonly counts: Counts } {
  const counts = { rows: 0, operatorReads: 0 };
  const counted = <T>(query: Query<T>): Query<T> => ({
    ...query,
    map(rows: readonly SqlRow[]) {
      counts.rows += rows.length;
      return query.map(rows);
    },
  });
  return {
    ...store,
    counts,
    read: (query) => store.read(counted(query)),
    async readForOperator(query) {
      counts.operatorReads += 1;
      await onOperatorRead(counts.operatorReads);
      return store.readForOperator(counted(query));
    },
  };
}

/** The lines of an action, as `kind id`; undefined where it has none. */
export async function linesOf(store: Store, action: () => Promise<unknown>) {
  const since = await store.read(selectRevision);
  await action();
  const changes = await store.read(selectChanges(since));
  if (changes === undefined) return undefined;
  return Object.entries(changes.ids).flatMap(([kind, ids]) =>
    [...ids].map((id) => `${kind} ${id}`),
  );
}

/** The first statement of each change, by either version. */
export const bump: Statement = {
  sql: 'update revision set value = value + 1 where id = 1',
  values: [],
};
