import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openDirectStore } from '../../src/store/sqlite/command-store.ts';

const document = readFileSync(new URL('../../../../docs/security.md', import.meta.url), 'utf8');

test('the document contains the retention of the rows of every table', async () => {
  const store = openDirectStore(':memory:');
  const tables = await store.read({
    sql: "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
    values: [],
    map: (rows) => rows.map(({ name }) => String(name)),
  });
  await store.close();
  const [, section = ''] = document.split('\n## Data retention\n');
  const [own = ''] = section.split('\n## ');
  const firstCells = own.split('\n').flatMap((line) => /^\| (`[^|]*) \|/.exec(line)?.[1] ?? []);
  const told = firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(told.toSorted()).toEqual(tables.toSorted());
});
