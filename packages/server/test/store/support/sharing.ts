import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../../src/lib/log.ts';
import type { Store } from '../../../src/store/port/port.ts';
import { joinSqliteStore, openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { startPostgres } from '../../support/postgres.ts';
import { openReplica } from './books.ts';

/** Ways in which several services serve from one store. */
export const sharings = ['replicas on PostgreSQL', 'threads on SQLite'] as const;

/** Two services' stores that share their data. */
export interface Sharing {
  readonly url: string;
  readonly stores: readonly [Store, Store];
  close(): Promise<void>;
}

/** Two on an empty store. */
export async function openSharing(kind: (typeof sharings)[number]): Promise<Sharing> {
  return kind === 'threads on SQLite' ? openThreads() : openReplicas();
}

async function openReplicas(): Promise<Sharing> {
  const server = await startPostgres();
  const url = await server.database();
  const stores = [await openReplica(url), await openReplica(url)] as const;
  return {
    ...{ url, stores },
    async close() {
      await Promise.all(stores.map((store) => store.close()));
      await server.close();
    },
  };
}

async function openThreads(): Promise<Sharing> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-sharing-'));
  const path = join(folder, 'gateway.db');
  const parts = { onDeath: rethrow, log: silentLog };
  const first = await openSqliteStore({ path, ...parts, isShared: true });
  const share = await first.share?.();
  if (share === undefined) throw new Error('the store is opened to be shared');
  const second = joinSqliteStore(share, parts);
  return {
    ...{ url: `sqlite:${path}`, stores: [first, second] },
    async close() {
      await second.close();
      await first.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function rethrow(error: Error) {
  throw error;
}
