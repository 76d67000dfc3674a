import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { endOf, run } from '../../harness/process.ts';
import { durabilityIsOff } from './not-durable/notice.ts';

const preload = new URL('./not-durable/preload.ts', import.meta.url).href;
const store = new URL('../../packages/server/src/store/sqlite/store.ts', import.meta.url).href;

/** Opens a store in its thread, and returns the process's standard error. */
async function openStoreWith(options: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-bench-'));
  const path = JSON.stringify(join(folder, 'ledger.db'));
  const parts = `{ path: ${path}, log: {}, onDeath: (error) => { throw error; } }`;
  const opened = `import('${store}').then((module) => module.openSqliteStore(${parts}))`;
  const script = `${opened}.then((store) => store.close())`;
  try {
    const argv = [...options, '-e', script];
    return (await endOf(process.execPath, argv)).stderr;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('the preload replaces the statement that makes commits durable', async () => {
  expect(await openStoreWith(['--import', preload])).toContain(durabilityIsOff);
});

test('without the preload the statement stays', async () => {
  expect(await openStoreWith([])).not.toContain(durabilityIsOff);
});

test('commits no longer wait once the statement has run', async () => {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(':memory:');
    database.exec('pragma synchronous = full');
    console.log(JSON.stringify(database.prepare('pragma synchronous').get()));`;
  const argv = ['--import', preload, '-e', script];
  const stdout = await run(process.execPath, argv);
  expect(JSON.parse(stdout)).toEqual({ synchronous: 0 });
});
