import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { SqlValue } from '../../src/store/port/port.ts';
import {
  createPipelineConnections,
  type PipelineConnection,
} from '../../src/store/postgres/pipeline/pipeline.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
let connection: PipelineConnection;
beforeAll(async () => {
  server = await startPostgres();
  const url = await server.database();
  const parts = { url, begin: [], clock: systemClock, log: silentLog, onLost: () => undefined };
  connection = createPipelineConnections(parts)();
});
afterAll(async () => {
  await connection.close();
  await server.close();
});

async function throughServer(sql: string, values: readonly SqlValue[]) {
  const session = await connection.open();
  if ('error' in session) throw session.error;
  const pipeline = session.resume();
  const { rows } = pipeline.queryRows(sql, [(value: SqlValue) => value], values);
  await pipeline.flush();
  return rows.map((row) => row.value);
}

const texts = 'select * from unnest($1::text[]) as value';
const integers = 'select * from unnest($1::bigint[]) as value';

test.each(['', 'NULL', 'null', '{}', '{a,b}', '"', '\\', '\\"', "'", ' a ', 'a\nb\t', ',', 'ü 🙂'])(
  'the text %j is the same on the other side',
  async (text) => {
    expect(await throughServer(texts, [text, null, text])).toEqual([text, null, text]);
  },
);

test('any text that the API accepts is the same on the other side', async () => {
  const character = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
  const one = fc.option(fc.oneof(character, fc.constantFrom('a', '"')), { nil: null });
  const values = fc.array(one, { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(values, async (some) => {
      expect(await throughServer(texts, some)).toEqual(some);
    }),
  );
});

test('the largest and the smallest amounts are the same on the other side', async () => {
  const amounts = [2n ** 63n - 1n, -(2n ** 63n), 0n, null, 9_007_199_254_740_993n];
  expect(await throughServer(integers, amounts)).toEqual(amounts);
});
