import { randomBytes } from 'node:crypto';
import process from 'node:process';
import pg from 'pg';

/** The server that the environment names, which outlives the tests. */
export function givenServer(): string | undefined {
  return process.env.MODEL_GATEWAY_TEST_POSTGRES || undefined;
}

/** Creates an empty database on a server and returns its URL. */
export async function createDatabase(server: string): Promise<string> {
  const name = `gateway_${randomBytes(8).toString('hex')}`;
  await withClient(server, (client) => client.query(`create database ${name}`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Drops a database and ends its connections. */
export async function dropDatabase(server: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await withClient(server, (client) => client.query(`drop database ${name} with (force)`));
}

/** Runs work on a connection that ends with it. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
