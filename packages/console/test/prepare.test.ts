import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { endOf } from '../../../harness/process.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-prepare-'));
  await cp(join(import.meta.dirname, '../scripts'), join(folder, 'scripts'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const prepare = (argv: readonly string[] = []) =>
  endOf(process.execPath, [...argv, join(folder, 'scripts/prepare.js')]);

async function installRolldown(text: string) {
  const packageFolder = join(folder, 'node_modules/rolldown');
  await mkdir(packageFolder, { recursive: true });
  await writeFile(join(packageFolder, 'package.json'), '{"type":"module","main":"index.js"}');
  await writeFile(join(packageFolder, 'index.js'), text);
}

const sentence = /^The pages of the console are not built, since [^\n]+\n$/;
const explained = { code: 0, stderr: expect.stringMatching(sentence) };

test('without the build tools, an install prints one sentence and succeeds', async () => {
  expect(await prepare()).toMatchObject(explained);
});

test('without their native part too', async () => {
  await installRolldown(
    "throw new Error('Cannot find native binding. npm has a bug'); export const rolldown = 1;",
  );
  expect(await prepare()).toMatchObject(explained);
});

test('under a Node without TypeScript too', async () => {
  expect(await prepare(['--no-strip-types'])).toMatchObject(explained);
});

test('any other failure fails the install', async () => {
  await installRolldown("throw new Error('out of order'); export const rolldown = 1;");
  const { code, stderr } = await prepare();
  expect([code, stderr]).toEqual([1, expect.stringContaining('out of order')]);
});
