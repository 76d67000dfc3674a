import { expect, test } from 'vitest';
import { readJsonBody } from '../../src/admin-api/http/http.ts';
import { noParts } from '../support/console.ts';

function bodyOf(text: string): Promise<unknown> {
  const request = {
    ...{ method: 'POST', url: '/admin/v1/apps', address: '127.0.0.1' },
    headers: { 'content-type': 'application/json' },
    body: async () => Buffer.from(text),
    chunks: noParts,
    disconnected: new AbortController().signal,
  };
  return readJsonBody(request, 65_536);
}

test.each([401, 60_000])('a number of %i digits is rejected by its bytes', async (digits) => {
  const invalid = {
    code: 'INVALID',
    message: 'The body has a number of more than 400 characters; use fewer digits',
  };
  const number = '1'.repeat(digits);
  await expect(bodyOf(`{"a":[0.${number}]}`)).rejects.toMatchObject(invalid);
  await expect(bodyOf(`{"a":"${number}"}`)).resolves.toEqual({ a: number });
});

test('so is a body with endless levels', async () => {
  await expect(bodyOf(`${'['.repeat(100)}${']'.repeat(100)}`)).rejects.toMatchObject({
    ...{ code: 'INVALID', message: 'The body exceeds the limit of levels, values or names' },
  });
});
