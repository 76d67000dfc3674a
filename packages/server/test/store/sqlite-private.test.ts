import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockStore, openStore } from '../../src/compose/open-store.ts';
import type { Log } from '../../src/lib/log.ts';
import { silentLog } from '../../src/lib/log.ts';

let folder: string;
let path: string;
let maskBefore: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-private-'));
  path = join(folder, 'data', 'gateway.db');
  // The default of most machines: files that everybody may read.
  maskBefore = process.umask(0o022);
});
afterEach(async () => {
  process.umask(maskBefore);
  await rm(folder, { recursive: true, force: true });
});

const open = (log: Log = silentLog) =>
  openStore({ target: { kind: 'sqlite', path }, log, onDeath: () => undefined });

const modeOf = async (of: string) => ((await stat(of)).mode & 0o777).toString(8);

test('only the owner can access files and folders that a service creates', async () => {
  const lock = lockStore({ kind: 'sqlite', path }, { log: silentLog });
  const store = await open();
  await store.epochs?.begin('store_1');
  const files = await readdir(dirname(path));
  expect(files.toSorted()).toEqual(
    ['', '-shm', '-wal', '.epoch', '.keys', '.lock', '.lock-journal'].map(
      (end) => `gateway.db${end}`,
    ),
  );
  for (const file of files)
    expect([file, await modeOf(join(dirname(path), file))]).toEqual([file, '600']);
  expect(await modeOf(dirname(path))).toBe('700');
  expect(await modeOf(join(folder, 'data'))).toBe('700');
  await store.epochs?.end();
  await store.close();
  lock.close();
  expect(await modeOf(`${path}.epoch`)).toBe('600');
});

test('a file that others may read is logged, and left unchanged', async () => {
  await (await open()).close();
  await chmod(path, 0o640);
  const warned: string[] = [];
  const store = await open({ ...silentLog, warn: (_facts, message) => void warned.push(message) });
  await store.close();
  expect(warned).toEqual([
    `store ${path} has mode 640; other users of this machine can read user ids and key hashes; run chmod 600 on it`,
  ]);
  expect(await modeOf(path)).toBe('640');
});
