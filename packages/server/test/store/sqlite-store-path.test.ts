import { link, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockStore, openStore } from '../../src/compose/open-store.ts';
import { silentLog } from '../../src/lib/log.ts';
import { prepareFile } from '../../src/store/sqlite/file/prepare-file.ts';
import { storePathOf } from '../../src/store/sqlite/file/store-path.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'model-gateway-place-')));
  await mkdir(join(folder, 'real'));
  file = join(folder, 'real', 'gateway.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (path: string) => ({ kind: 'sqlite', path }) as const;
const open = (path: string) =>
  openStore({ target: at(path), log: silentLog, onDeath: () => undefined });

/** Other paths to the file, which exists or not. */
async function ways(): Promise<readonly string[]> {
  const [linked, chained, inFolder] = ['link.db', 'chain.db', 'folder'].map((name) =>
    join(folder, name),
  );
  if (linked === undefined || chained === undefined || inFolder === undefined) throw new Error();
  await symlink('real/gateway.db', linked);
  await symlink(linked, chained);
  await symlink(join(folder, 'real'), inFolder);
  return [
    linked,
    chained,
    join(inFolder, 'gateway.db'),
    join(inFolder, '..', 'real', 'gateway.db'),
  ];
}

test.each(['that is there', 'that is not there yet'])(
  'a link leads to the file %s',
  async (how) => {
    if (how === 'that is there') await (await open(file)).close();
    for (const way of await ways()) expect(storePathOf(way)).toBe(file);
  },
);

test('a service with a link meets the lock of a service with the file', async () => {
  const links = await ways();
  for (const [one, two] of links.flatMap((way) => [
    [file, way],
    [way, file],
  ])) {
    if (one === undefined || two === undefined) throw new Error('there are two ways');
    const lock = lockStore(at(one), { log: silentLog });
    expect(() => lockStore(at(two), { log: silentLog })).toThrow(
      `another model-gateway uses the store ${file}; stop it, or use a different store`,
    );
    lock.close();
  }
});

test('a circular link is rejected in one line', async () => {
  const ring = join(folder, 'ring.db');
  await symlink(ring, ring);
  expect(() => storePathOf(ring)).toThrow(/^the store [^\n]*ring\.db is a broken link$/);
});

test('a file with two names is rejected by both, for services and commands alike', async () => {
  await (await open(file)).close();
  const other = join(folder, 'other.db');
  await link(file, other);
  for (const path of [file, other]) {
    const refusal = new RegExp(`^the store ${path} has 2 hard links, [^\\n]*or use a copy$`);
    expect(() => lockStore(at(path), { log: silentLog })).toThrow(refusal);
    await expect(open(path)).rejects.toThrow(refusal);
  }
  await rm(other);
  await (await open(file)).close();
});

test('a file that is a mount is rejected, a mounted folder is not', async () => {
  const place = join(folder, 'a folder', 'gateway.db');
  await mkdir(join(folder, 'a folder'));
  await writeFile(place, '');
  const mounts = (point: string) => () =>
    [
      '22 27 0:21 / /proc rw,relatime - proc proc rw',
      `61 27 254:0 /gateway.db ${point.replaceAll(' ', '\\040')} rw - ext4 /dev/vda rw`,
      '',
    ].join('\n');
  expect(() => storePathOf(place, mounts(place))).toThrow(
    /^the store [^\n]*gateway\.db is mounted as a single file, [^\n]*; mount its folder$/,
  );
  expect(storePathOf(place, mounts(join(folder, 'a folder')))).toBe(place);
});

test('a store whose first start was killed before it had tables is opened', async () => {
  const { ring } = prepareFile({ path: file, log: silentLog });
  const store = await open(file);
  expect(store.ring?.newest).toBe(ring.newest);
  await store.close();
});
