import { createServer } from 'node:net';
import pg from 'pg';
import { startPostgresServer } from './postgres-server.ts';

/** A real PostgreSQL for one test file. */
export interface TestPostgres {
  /** A fresh, empty database. */
  database(): Promise<string>;
  /** False for a server that the environment names: it cannot be stopped, and its log not read. */
  readonly isOwn: boolean;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** What it wrote to its log so far. */
  log(): string;
  close(): Promise<void>;
}

/**
 * Starts PostgreSQL from the binaries that npm installs, on a free port; or uses the server that
 * `MODEL_GATEWAY_TEST_POSTGRES` names. A server that does not come up fails the tests.
 */
export async function startPostgres(settings: readonly string[] = []): Promise<TestPostgres> {
  const given = process.env.MODEL_GATEWAY_TEST_POSTGRES;
  if (given !== undefined && given !== '') {
    const nothing = async () => {};
    const server = { isOwn: false, stop: nothing, start: nothing, log: () => '', close: nothing };
    return { ...server, database: () => createDatabase(given) };
  }
  const port = await freePort();
  const server = await startPostgresServer(port, settings);
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  return { ...server, isOwn: true, database: () => createDatabase(url) };
}

let made = 0;

async function createDatabase(url: string): Promise<string> {
  const name = `gateway_${process.pid}_${made++}`;
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.href;
}

/** A port that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
