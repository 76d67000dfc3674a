import { createServer } from 'node:net';
import pg from 'pg';
import { startPostgresServer } from './postgres-server.ts';

/** A real PostgreSQL for the tests of a file. */
export interface TestPostgres {
  /** A fresh, empty database. */
  database(): Promise<string>;
  /** Drops these databases. */
  close(): Promise<void>;
}

/** One that belongs to its file alone, so that a test may stop it. */
export interface OwnPostgres extends TestPostgres {
  /** False for a server that the environment names: it cannot be stopped, and its log not read. */
  readonly isOwn: boolean;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** What it wrote to its log so far. */
  log(): string;
}

/**
 * Databases on a PostgreSQL with these settings that the files of this process share, which is
 * started where there is none: from the binaries that npm installs, on a free port; or the server
 * that `MODEL_GATEWAY_TEST_POSTGRES` names. A server that does not come up fails the tests.
 */
export async function startPostgres(settings: readonly string[] = []): Promise<TestPostgres> {
  const url = givenServer() ?? (await sharedServer(settings));
  const made: string[] = [];
  return {
    async database() {
      const database = await createDatabase(url);
      made.push(database);
      return database;
    },
    async close() {
      await query(url, ...made.map((each) => `drop database ${nameOf(each)} with (force)`));
    },
  };
}

/** The same on a server of its own. */
export async function startOwnPostgres(settings: readonly string[] = []): Promise<OwnPostgres> {
  const given = givenServer();
  if (given !== undefined) {
    const nothing = async () => {};
    const server = { isOwn: false, stop: nothing, start: nothing, log: () => '', close: nothing };
    return { ...server, database: () => createDatabase(given) };
  }
  const { server, url } = await startServer(settings);
  return { ...server, isOwn: true, database: () => createDatabase(url) };
}

function givenServer(): string | undefined {
  return process.env.MODEL_GATEWAY_TEST_POSTGRES || undefined;
}

/** By their settings; each lives as long as this process. */
const shared = new Map<string, Promise<string>>();

function sharedServer(settings: readonly string[]): Promise<string> {
  const key = settings.join(' ');
  const known = shared.get(key);
  if (known !== undefined) return known;
  const started = startServer(settings).then(({ url }) => url);
  shared.set(key, started);
  return started;
}

async function startServer(settings: readonly string[]) {
  const port = await freePort();
  const server = await startPostgresServer(port, settings);
  return { server, url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres` };
}

let made = 0;

async function createDatabase(url: string): Promise<string> {
  const name = `gateway_${process.pid}_${made++}`;
  await query(url, `create database ${name}`);
  const target = new URL(url);
  target.pathname = `/${name}`;
  return target.href;
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

async function query(url: string, ...statements: readonly string[]) {
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
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
