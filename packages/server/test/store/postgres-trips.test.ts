import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { prepareServer } from '../../src/store/postgres/prepare-server.ts';
import { createTrip, type Trip, type Wire } from '../../src/store/postgres/trip.ts';
import {
  createTripConnection,
  type TripConnection,
} from '../../src/store/postgres/trip-connection.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
let url: string;
beforeAll(async () => {
  server = await startPostgres();
  url = await server.database();
});
afterAll(() => server.close());

let connection: TripConnection;
let wire: Wire;
beforeEach(async () => {
  connection = createTripConnection({ url, clock: systemClock, onLost: () => undefined });
  const opened = await connection.open();
  if ('error' in opened) throw opened.error;
  wire = opened;
});
afterEach(() => connection.close());

const echo = 'select $1::text as echo';
const divide = 'select 6 / $1::bigint as quotient';

describe.each([true, false])('a trip whose statements are prepared: %s', (isNamed) => {
  const start = () => createTrip(wire, { isNamed });

  async function quotientOf(divisor: string) {
    const trip = start();
    const answer = trip.ask(divide, [divisor]);
    await trip.go();
    return answer.rows;
  }

  test('answers each statement with its rows and its tag', async () => {
    for (let round = 0; round < 2; round++) {
      const trip = start();
      const created = trip.ask('create temporary table pet (name text, legs bigint)');
      const filled = trip.ask('insert into pet select * from unnest($1::text[], $2::bigint[])', [
        '{Ada,NULL}',
        '{4,-9223372036854775808}',
      ]);
      const selected = trip.ask('select legs, name from pet');
      const none = trip.ask('select name from pet where legs = 3');
      const dropped = trip.ask('drop table pet');
      await trip.go();
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
      const trip = start();
      const answers = [sent, 'short', sent].map((text) => trip.ask(echo, [text]));
      await trip.go();
      const echoes = answers.map(({ rows }) => rows[0]?.echo);
      expect(echoes).toEqual([sent, 'short', sent]);
    }
  });

  test('that fails can be made again on the same connection', async () => {
    for (let round = 0; round < 2; round++) {
      await expect(quotientOf('0')).rejects.toThrow('division by zero');
      expect(await quotientOf('2')).toEqual([{ quotient: 3n }]);
    }
  });

  test('does nothing of what is behind a statement that failed', async () => {
    const setting = "select set_config('application_name', $1, false)";
    const trip = start();
    trip.ask('begin');
    trip.ask(divide, ['0']);
    const behind = trip.ask(setting, ['behind']);
    const commit = trip.ask('commit');
    await expect(trip.go()).rejects.toMatchObject({ code: '22012' });
    expect([behind.tag, commit.tag]).toEqual(['', '']);
    // The transaction is still open, and can only be undone.
    const end = start();
    const undone = end.ask('commit');
    await end.go();
    expect(undone.tag).toBe('ROLLBACK');
    const { rows } = await wire.client.query('show application_name');
    expect(rows).toEqual([{ application_name: 'model-gateway' }]);
  });
});

test('a statement of a transaction is sent and planned once a connection', async () => {
  const begin = (await prepareServer(url, silentLog)).batch;
  const sql = 'select app from budget_day where app = any ($1::text[])';
  const inTransaction = async (ask: (trip: Trip) => void) => {
    const trip = createTrip(wire, { isNamed: true });
    for (const statement of begin) trip.ask(statement);
    ask(trip);
    trip.ask('commit');
    await trip.go();
  };
  for (let round = 0; round < 12; round++) {
    await inTransaction((trip) => void trip.ask(sql, [`{app${round}}`]));
  }
  const { rows } = await wire.client.query(
    'select generic_plans, custom_plans from pg_prepared_statements where statement = $1',
    [sql],
  );
  expect(rows).toEqual([{ generic_plans: 12n, custom_plans: 0n }]);
});
