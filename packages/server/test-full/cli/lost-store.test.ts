import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Desk, deskYaml, openDesk } from '../../test/cli/support/desk.ts';
import { startServed } from '../../test/support/process.ts';

const yamlOn = (path: string) =>
  deskYaml
    .replace(/ {2}local:.*\nmodels:\n(?: {2}- .*\n)+/, '')
    .replace('sqlite:./gateway.db', `"sqlite:${path}"`);
const cure =
  'correct "store" in the configuration, or start with an empty store ("model-gateway serve --new-store")';

let desk: Desk;
let store: string;
beforeEach(async () => {
  desk = await openDesk();
  store = join(desk.folder, 'data', 'gateway.db');
  writeFileSync(desk.file, yamlOn('./data/gateway.db'));
});
afterEach(() => desk.close());

/** The output of a command that rejects the store. */
async function refusal(commandLine: readonly string[]): Promise<string> {
  const { code, out, errors } = await desk.run([...commandLine, '--config', desk.file]);
  expect({ code, out }).toEqual({ code: 1, out: [] });
  return errors.join('\n');
}

const openers = [['serve'], ['audit'], ['keys', 'list'], ['migrate']];

async function serveOnce(...options: string[]): Promise<string> {
  const service = await startServed(['serve', ...options, '--config', desk.file]);
  expect(await service.end('SIGTERM')).toBe(0);
  return service.log();
}

test('serve creates the last folder of its store, and logs it', async () => {
  for (let starts = 0; starts < 2; starts++) {
    const log = await serveOnce();
    expect(log.split('store folder did not exist and was created')).toHaveLength(2);
    expect(log).toContain(join(desk.folder, 'data'));
    expect(existsSync(store)).toBe(true);
    rmSync(join(desk.folder, 'data'), { recursive: true });
  }
});

test('no store is created where two folders are missing, except with --new-store', async () => {
  writeFileSync(desk.file, yamlOn('./volume/dir/gateway.db'));
  const volume = join(desk.folder, 'volume');
  for (const opener of openers) {
    expect(await refusal(opener)).toBe(
      `the folder of the store, ${volume}/dir, is missing, and so is ${volume}; mount its volume, ${cure}`,
    );
  }
  expect(existsSync(volume)).toBe(false);
  await serveOnce('--new-store');
  expect(readdirSync(join(volume, 'dir'))).toContain('gateway.db');
  await serveOnce();
});

test('a link into a missing folder creates no store', async () => {
  const link = join(desk.folder, 'link.db');
  symlinkSync(join(desk.folder, 'volume', 'gateway.db'), link);
  writeFileSync(desk.file, yamlOn('./link.db'));
  for (const opener of openers) {
    expect(await refusal(opener)).toBe(
      `the store is a link to ${desk.folder}/volume/gateway.db, whose folder is missing; mount its volume, or correct the link`,
    );
  }
});

test('a missing or empty store is not replaced, except with --new-store', async () => {
  await desk.run(['keys', 'list', '--config', desk.file]);
  writeFileSync(`${store}.epoch`, 'store_1 000000000000003 clean\n');
  for (const [state, isEmpty, left] of [
    ['is missing', false, ['.epoch', '.keys']],
    ['is empty', true, ['.epoch', '.keys']],
    ['is empty', true, ['.keys']],
    ['is missing', false, ['.keys']],
  ] as const) {
    for (const file of ['', '-wal', '-shm']) rmSync(`${store}${file}`, { force: true });
    if (!left.some((end) => end === '.epoch')) rmSync(`${store}.epoch`, { force: true });
    if (isEmpty) writeFileSync(store, '');
    const before = readdirSync(join(desk.folder, 'data'));
    const files = left.map((end) => `${store}${end}`).join(' and ');
    for (const opener of openers) {
      expect(await refusal(opener)).toBe(
        `the store ${store} ${state}, but ${files} ${left.length === 1 ? 'remains' : 'remain'}; restore a backup, ${cure}`,
      );
    }
    expect(readdirSync(join(desk.folder, 'data'))).toEqual(before);
  }
  await serveOnce('--new-store');
  expect(await desk.json(['audit'])).toMatchObject({ clean: true });
  await serveOnce();
});

test('an empty file without others is a new store', async () => {
  mkdirSync(join(desk.folder, 'data'));
  writeFileSync(store, '');
  expect(await desk.json(['audit'])).toMatchObject({ clean: true });
});
