import { afterAll, afterEach, beforeAll } from 'vitest';
import { type OwnPostgres, startOwnPostgres } from '../../test/support/postgres-own.ts';
import { openReplicas, type Replicas } from './replicas.ts';

/** Opens replicas that end with their test; see {@link openReplicas}. */
type OpenReplicas = (options?: Parameters<typeof openReplicas>[1]) => Promise<Replicas>;

/** The stores under the replicas of a test file. */
interface ReplicaStores {
  /** For `test.each` and `describe.each`. */
  readonly all: readonly (readonly [name: string, open: OpenReplicas])[];
  readonly onSqlite: OpenReplicas;
  readonly onPostgres: OpenReplicas;
  /** The PostgreSQL of the file, only within tests. */
  server(): OwnPostgres;
}

/** Both stores, for all tests of a file; call it once, before the file's own hooks. */
export function openReplicaStores(): ReplicaStores {
  let postgres: OwnPostgres | undefined;
  const opened: Replicas[] = [];
  beforeAll(async () => {
    postgres = await startOwnPostgres();
  });
  afterEach(async () => {
    for (const replicas of opened.splice(0)) await replicas.close();
  });
  afterAll(() => postgres?.close());
  const onSqlite: OpenReplicas = (options) => open('sqlite', options);
  const onPostgres: OpenReplicas = (options) => open(server(), options);
  return {
    all: [
      ['SQLite', onSqlite],
      ['PostgreSQL', onPostgres],
    ],
    onSqlite,
    onPostgres,
    server,
  };

  async function open(...given: Parameters<typeof openReplicas>): Promise<Replicas> {
    const replicas = await openReplicas(...given);
    opened.push(replicas);
    return replicas;
  }

  function server(): OwnPostgres {
    if (postgres === undefined) throw new Error('there is a server within tests alone');
    return postgres;
  }
}
