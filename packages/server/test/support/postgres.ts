import { inject } from 'vitest';
import { silentLog } from '../../src/lib/silent-log.ts';
import { createCleaner } from './postgres-cleaning.ts';
import { createDatabase, dropDatabase, givenServer } from './postgres-database.ts';
import { openPostgresStore } from './postgres-store.ts';

/** Databases for the tests of a file, on a PostgreSQL that it shares. */
export interface TestPostgres {
  /** A database with the newest schema and no data; `empty` is one without a schema. */
  database(options?: { readonly empty?: boolean }): Promise<string>;
  /** Returns these databases. */
  close(): Promise<void>;
}

/**
 * Databases on the PostgreSQL of the run, or on the server that `MODEL_GATEWAY_TEST_POSTGRES`
 * names. The former does not wait for the disk: a test of durability needs `startOwnPostgres`.
 */
export async function startPostgres(): Promise<TestPostgres> {
  const given = givenServer();
  const server = given ?? (await serverOfRun());
  const used: { readonly url: string; readonly isReusable: boolean }[] = [];
  return {
    async database({ empty = false } = {}) {
      const url = await (empty ? createDatabase(server) : migratedDatabase(server));
      // Nobody would drop the reused databases of a server that outlives the run.
      used.push({ url, isReusable: !empty && given === undefined });
      return url;
    },
    async close() {
      for (const { url, isReusable } of used.splice(0)) {
        if (isReusable && (await isCleaned(url))) free.push(url);
        else await dropDatabase(server, url);
      }
    },
  };
}

/** Starts it if this is the first request of the run; see `postgres-run.ts`. */
async function serverOfRun(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${inject('postgresPort')}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** Databases that earlier files of this worker have returned. */
const free: string[] = [];

let cleaner: ReturnType<typeof createCleaner> | undefined;

async function migratedDatabase(server: string): Promise<string> {
  const reused = free.pop();
  if (reused !== undefined) return reused;
  const url = await createDatabase(server);
  const store = await openPostgresStore({ url, log: silentLog });
  await store.close();
  cleaner ??= createCleaner(url);
  await cleaner;
  return url;
}

async function isCleaned(url: string): Promise<boolean> {
  const clean = await cleaner;
  return clean !== undefined && (await clean(url));
}
