import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { connectionOptions } from '../../src/store/postgres/connection/connection.ts';
import {
  createPipelineConnections,
  type PipelineConnection,
  type Session,
} from '../../src/store/postgres/pipeline/pipeline.ts';
import { prepareServer } from '../../src/store/postgres/prepare-server.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
let url: string;
let begin: readonly string[];
beforeAll(async () => {
  server = await startPostgres();
  url = await server.database();
  begin = (await prepareServer(url, silentLog)).batch;
});
afterAll(() => server.close());

let connection: PipelineConnection;
let session: Session;
beforeEach(async () => {
  const parts = { url, begin, clock: systemClock, log: silentLog, onLost: () => undefined };
  connection = createPipelineConnections(parts)();
  session = await open();
});
afterEach(() => connection.close());

async function open(): Promise<Session> {
  const opened = await connection.open();
  if ('error' in opened) throw opened.error;
  return opened;
}

async function rowsOf(sql: string, values: readonly string[] = []) {
  const pipeline = session.resume();
  const { rows } = pipeline.query(sql, values);
  await pipeline.flush();
  return rows;
}

/** After this number, no more statements are prepared. */
async function loseStatements() {
  await rowsOf(divide, ['2']);
  await rowsOf('deallocate all');
  await expect(rowsOf(divide, ['2'])).rejects.toMatchObject({ code: '26000' });
  expect(await rowsOf(divide, ['2'])).toEqual([{ quotient: 3n }]);
}

const echo = 'select $1::text as echo';
const divide = 'select 6 / $1::bigint as quotient';

describe.each([true, false])('a pipeline whose statements are prepared: %s', (isNamed) => {
  beforeEach(async () => {
    if (!isNamed) await loseStatements();
  });

  test('answers each statement with its rows and its tag', async () => {
    for (let round = 0; round < 2; round++) {
      const pipeline = session.resume();
      const created = pipeline.query('create temporary table pet (name text, legs bigint)');
      const filled = pipeline.query(
        'insert into pet select * from unnest($1::text[], $2::bigint[])',
        ['{Ada,NULL}', '{4,-9223372036854775808}'],
      );
      const selected = pipeline.query('select legs, name from pet');
      const none = pipeline.query('select name from pet where legs = 3');
      const dropped = pipeline.query('drop table pet');
      await pipeline.flush();
      expect(selected.rows).toEqual([
        { legs: 4n, name: 'Ada' },
        { legs: -(2n ** 63n), name: null },
      ]);
      expect(none.rows).toEqual([]);
      const tags = [created, filled, selected, none, dropped].map(({ tag }) => tag);
      expect(tags).toEqual(['CREATE TABLE', 'INSERT 0 2', 'SELECT 2', 'SELECT 0', 'DROP TABLE']);
    }
  });

  test('carries texts of any length, and the next ones after them', async () => {
    for (const times of [1, 3_000, 200_000, 2]) {
      const sent = 'aü€🙂'.repeat(times);
      const pipeline = session.resume();
      const answers = [sent, 'short', sent].map((text) => pipeline.query(echo, [text]));
      await pipeline.flush();
      const echoes = answers.map(({ rows }) => rows[0]?.echo);
      expect(echoes).toEqual([sent, 'short', sent]);
    }
  });

  test('that fails can be repeated on the same connection', async () => {
    for (let round = 0; round < 2; round++) {
      await expect(rowsOf(divide, ['0'])).rejects.toThrow('division by zero');
      expect(await rowsOf(divide, ['2'])).toEqual([{ quotient: 3n }]);
    }
  });

  test('does nothing behind a failed statement', async () => {
    const setting = "select set_config('application_name', $1, false)";
    const pipeline = session.begin();
    pipeline.query(divide, ['0']);
    const behind = pipeline.query(setting, ['behind']);
    const commit = pipeline.query('commit');
    await expect(pipeline.flush()).rejects.toMatchObject({ code: '22012' });
    expect([behind.tag, commit.tag]).toEqual(['', '']);
    // The transaction is still open, and can only be rolled back.
    const end = session.resume();
    const undone = end.query('commit');
    await end.flush();
    expect(undone.tag).toBe('ROLLBACK');
    expect(await rowsOf('show application_name')).toEqual([{ application_name: 'model-gateway' }]);
  });
});

test('a statement of a transaction is sent and planned once a connection', async () => {
  const sql = 'select app from budget_day where app = any ($1::text[])';
  for (let round = 0; round < 12; round++) {
    const pipeline = session.begin();
    pipeline.query(sql, [`{app${round}}`]);
    pipeline.query('commit');
    await pipeline.flush();
  }
  const plans =
    'select generic_plans, custom_plans from pg_prepared_statements where statement = $1';
  expect(await rowsOf(plans, [sql])).toEqual([{ generic_plans: 12n, custom_plans: 0n }]);
});

test('a dropped connection is opened again, and prepares its statements again', async () => {
  expect(await rowsOf(divide, ['2'])).toEqual([{ quotient: 3n }]);
  session.drop();
  session = await open();
  expect(await rowsOf(divide, ['2'])).toEqual([{ quotient: 3n }]);
});

// Of the schema's types: texts and integers of 64 bits.
describe('compared with the driver by itself', () => {
  let plain: pg.Client;
  beforeEach(async () => {
    plain = new pg.Client({ ...connectionOptions(url), pipeline: false });
    await plain.connect();
  });
  afterEach(() => plain.end());

  test.each<{ sql: string; values: readonly string[] }>([
    { sql: echo, values: ['"a", {b} \\ é 🙂\n'] },
    { sql: echo, values: [''] },
    { sql: echo, values: ['x'.repeat(200_000)] },
    { sql: divide, values: ['-4'] },
    { sql: divide, values: ['0'] },
    { sql: divide, values: ['six'] },
    { sql: "select null::bigint as none, null::text as nothing, 'a' as some", values: [] },
    { sql: 'select 1::bigint as id where false', values: [] },
    { sql: "select unnest('{1,2,3}'::bigint[]) as id", values: [] },
    { sql: 'create temporary table pet (name text)', values: [] },
    { sql: 'selec 1', values: [] },
    { sql: 'select * from no_such_table', values: [] },
    { sql: 'select $1::text as a, $2::bigint as b', values: ['a', '9223372036854775807'] },
  ])('gives the same rows or the same error: $sql', async ({ sql, values }) => {
    const expected = await plain.query(sql, [...values]).then(
      ({ rows, command }) => ({ rows, command }),
      ({ code }: pg.DatabaseError) => ({ code }),
    );
    const pipeline = session.resume();
    const answer = pipeline.query(sql, values);
    const got = await pipeline.flush().then(
      () => ({ rows: answer.rows, command: answer.tag.split(' ')[0] }),
      ({ code }: pg.DatabaseError) => ({ code }),
    );
    expect(got).toEqual(expected);
  });
});
