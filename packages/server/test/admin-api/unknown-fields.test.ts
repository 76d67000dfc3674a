import { expect, test } from 'vitest';
import { loadRoutes } from '../../src/admin-api/routes.ts';
import { openStack } from '../support/stack.ts';
import { consoleOf } from './support/console-of.ts';

const paths = (await loadRoutes())
  .filter(
    ({ method, query, action }) => method === 'GET' && query !== undefined && action !== 'anyone',
  )
  .map(({ path }) => path.replace('/admin/v1', '').replaceAll(/:\w+/g, 'x'));

/** Names that every object has, and a name that no object has. */
const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'other'];

test.each(paths)('GET %s rejects an unknown field', async (path) => {
  const ask = consoleOf(await openStack())('operator');
  for (const name of names) {
    const { status, body } = await ask(`GET ${path}?${name}=1`);
    expect([name, status, body.error.code]).toEqual([name, 400, 'INVALID']);
  }
});
