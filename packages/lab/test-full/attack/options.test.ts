import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { start } from '../../../../harness/process.ts';
import { type Desk, openDesk } from '../../../server/test/cli/support/desk.ts';
import { ownLauncher } from '../../../server/test/support/process.ts';

let desk: Desk;
let folder: string;
beforeAll(async () => {
  desk = await openDesk();
  folder = await mkdtemp(join(tmpdir(), 'model-gateway-options-'));
});
afterAll(async () => {
  await desk.close();
  await rm(folder, { recursive: true, force: true });
});

describe('an invalid option is reported in one line', () => {
  test.each([
    ['--minutes', '0', /^--minutes: "0" must be a number of minutes above 0, up to 1440$/],
    ['--minutes', 'long', /^--minutes: "long" must be a number of minutes/],
    ['--seed', '-1', /^--seed: "-1" must be a whole number from 0 to 4294967295$/],
    ['--seed', '4294967296', /^--seed: "4294967296" must be a whole number/],
    ['--seed', '1.5', /^--seed: "1.5" must be a whole number/],
  ])('%s %s', async (option, value, message) => {
    const { code, errors } = await desk.run(['attack', `${option}=${value}`]);
    expect(errors).toEqual([expect.stringMatching(message)]);
    expect(code).toBe(2);
  });
});

test('a folder with content is rejected and unchanged', async () => {
  const file = join(folder, 'notes.txt');
  await writeFile(file, 'mine');
  const { code, errors } = await desk.run(['attack', '--keep', folder]);
  expect(errors).toEqual([`--keep: the folder ${folder} is not empty; use another one`]);
  expect(code).toBe(1);
  expect(await readFile(file, 'utf8')).toBe('mine');
});

test('a store in use is not attacked and stays unchanged', async () => {
  await desk.json(['apps', 'create', 'candidate']);
  const before = await desk.records(['apps', 'list']);
  const store = `sqlite:${join(desk.folder, 'gateway.db')}`;
  const { code, errors } = await desk.run(['attack', '--store', store]);
  expect(errors).toEqual([`the store ${store} is in use; an attack requires an empty store`]);
  expect(code).toBe(1);
  expect(await desk.records(['apps', 'list'])).toEqual(before);
});

test('an attack that is stopped ends its services and prints nothing', async () => {
  const bookFolder = join(folder, 'kept');
  const attack = start(process.execPath, [ownLauncher, 'attack', '--keep', bookFolder]);
  await attack.printed(/Attacking one service on sqlite.*\n/);
  expect(await attack.end('SIGTERM')).toBe(1);
  expect(attack.stderr().split('\n').slice(0, 2)).toEqual([
    expect.stringContaining('Attacking one service on sqlite'),
    'The attack was stopped, so it shows nothing.',
  ]);
  // Nothing listens on the simulator's port, and the folder contains only the ledger.
  const yaml = await readFile(join(bookFolder, 'gateway.yaml'), 'utf8');
  const [simulator = ''] = /http:[^"]+/.exec(yaml) ?? [];
  await expect(fetch(simulator)).rejects.toThrow('fetch failed');
  expect(await readdir(bookFolder)).not.toContain('.compiled');
});
