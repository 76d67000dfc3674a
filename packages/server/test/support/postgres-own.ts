import { freePort } from '../../../../harness/free-port.ts';
import { createDatabase, givenServer } from './postgres-database.ts';
import { startPostgresServer } from './postgres-server.ts';

/** A PostgreSQL that belongs to one file, which may stop it. */
export interface OwnPostgres {
  /** False for a server that the environment names: it cannot be stopped, and its log not read. */
  readonly isOwn: boolean;
  /** A new database without a schema. */
  database(): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
  log(): string;
  close(): Promise<void>;
}

/**
 * Starts a PostgreSQL with these settings; its commits are durable unless they differ. The server
 * that `MODEL_GATEWAY_TEST_POSTGRES` names takes its place.
 */
export async function startOwnPostgres(settings: readonly string[] = []): Promise<OwnPostgres> {
  const given = givenServer();
  if (given !== undefined) {
    const nothing = async () => {};
    const server = { isOwn: false, stop: nothing, start: nothing, log: () => '', close: nothing };
    return { ...server, database: () => createDatabase(given) };
  }
  const { url, ...server } = await startPostgresServer(await freePort(), settings);
  return { ...server, isOwn: true, database: () => createDatabase(url) };
}
