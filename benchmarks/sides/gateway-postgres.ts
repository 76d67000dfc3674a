import { tmpdir } from 'node:os';
import process from 'node:process';
import pg from 'pg';
import { startOwnPostgres } from '../../packages/server/test/support/postgres-own.ts';
import { isInMemory } from '../processes/data-folder.ts';
import { parentOf } from '../processes/tree-time.ts';
import type { Side } from './side.ts';
import { startGateway } from './start-gateway.ts';

/** This gateway on PostgreSQL, from the npm package that the tests use, with its own defaults. */
export const gatewayOnPostgres: Side = {
  name: 'gateway, PostgreSQL',
  storesAnswers: true,
  async prepare() {
    const url = process.env.MODEL_GATEWAY_TEST_POSTGRES;
    if (url !== undefined && url !== '') {
      return 'unset MODEL_GATEWAY_TEST_POSTGRES: the time of a server elsewhere cannot be read';
    }
    if (!isInMemory(tmpdir())) return undefined;
    return `${tmpdir()} is in memory, where a commit costs nothing: set TMPDIR to a folder on a disk`;
  },
  async start(scope, setting) {
    const server = await startOwnPostgres();
    scope.add(() => server.close());
    const store = await server.database();
    const databasePid = await durableServerPid(store);
    return { ...(await startGateway(scope, setting, store)), databasePid };
  },
};

/** The server's first process, whose children do the work. Throws when commits are not durable. */
async function durableServerPid(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number; fsync: string; commit: string }>(
      `select pg_backend_pid() as pid, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as commit`,
    );
    const [row] = rows;
    if (row?.fsync !== 'on' || row.commit !== 'on') {
      throw new Error(
        `fsync is ${row?.fsync}, synchronous_commit is ${row?.commit}: both must be on`,
      );
    }
    return parentOf(row.pid);
  } finally {
    await client.end();
  }
}
