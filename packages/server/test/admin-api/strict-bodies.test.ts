import { expect, test } from 'vitest';
import { readJsonBody } from '../../src/admin-api/http/http.ts';
import { noParts } from '../support/console.ts';

function bodyOf(text: string): Promise<unknown> {
  return readJsonBody(
    {
      ...{ method: 'POST', url: '/admin/v1/apps', address: '127.0.0.1' },
      headers: { 'content-type': 'application/json' },
      body: async () => Buffer.from(text),
      chunks: noParts,
      disconnected: new AbortController().signal,
    },
    65_536,
  );
}

test.each([
  ['{"app":"search","app":"tutor"}', 'app is given twice.', 'app'],
  ['{"a":{"b":1,"\\u0062":2}}', 'a.b is given twice.', 'a.b'],
  ['{"a":[{"b":1,"b":1}]}', 'a[0].b is given twice.', 'a[0].b'],
  ['{"a":1e999}', 'a is too large for a number.', 'a'],
  ['{"a":"\\ud800"}', 'a contains half of a surrogate pair, which is not a valid character.', 'a'],
])('the console rejects %s as the callers’ API does', async (text, message, field) => {
  await expect(bodyOf(text)).rejects.toMatchObject({ code: 'INVALID', message, field });
});

test('different names are not duplicates', async () => {
  const text = '{"a":1,"A":2,"b":{"a":1},"c":[{"a":1},{"a":1}]}';
  expect(await bodyOf(text)).toEqual(JSON.parse(text));
});
