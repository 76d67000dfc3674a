import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store } from '../../src/store/port.ts';
import { arrayText } from '../../src/store/postgres/pipeline/array-text.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { openReplica } from './support/books.ts';

let server: TestPostgres;
let store: Store;
beforeAll(async () => {
  server = await startPostgres();
  store = await openReplica(await server.database());
});
afterAll(async () => {
  await store.close();
  await server.close();
});

function throughServer(sql: string, text: string): Promise<readonly unknown[]> {
  return store.read({ sql, values: [text], map: (rows) => rows.map((row) => row.value) });
}

const texts = 'select * from unnest($1::text[]) as value';
const integers = 'select * from unnest($1::bigint[]) as value';

test.each(['', 'NULL', 'null', '{}', '{a,b}', '"', '\\', '\\"', "'", ' a ', 'a\nb\t', ',', 'ü 🙂'])(
  'the text %j is the same on the other side',
  async (text) => {
    expect(await throughServer(texts, arrayText([text, null, text]))).toEqual([text, null, text]);
  },
);

test('any text that the surface lets through is the same on the other side', async () => {
  const character = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
  const one = fc.option(fc.oneof(character, fc.constantFrom('a', '"')), { nil: null });
  const values = fc.array(one, { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(values, async (some) => {
      expect(await throughServer(texts, arrayText(some))).toEqual(some);
    }),
  );
});

test('the largest and the smallest amounts are the same on the other side', async () => {
  const amounts = [2n ** 63n - 1n, -(2n ** 63n), 0n, null, 9_007_199_254_740_993n];
  expect(await throughServer(integers, arrayText(amounts))).toEqual(amounts);
});
