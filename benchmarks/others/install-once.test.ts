import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { installOnce } from './install-once.ts';

let workingFolder: string;
beforeEach(async () => {
  workingFolder = await mkdtemp(join(tmpdir(), 'model-gateway-bench-'));
  await writeFile(join(workingFolder, 'lock'), 'first');
});
afterEach(() => rm(workingFolder, { recursive: true, force: true }));

/** Runs a Node script as the only step. */
function install(script: string, program = process.execPath) {
  return installOnce({
    workingFolder,
    folder: join(workingFolder, 'installed'),
    lockFile: join(workingFolder, 'lock'),
    steps: [{ program, argv: ['-e', script] }],
  });
}

const countRuns = "require('node:fs').appendFileSync('runs', 'x')";
const runs = () => readFile(join(workingFolder, 'runs'), 'utf8');

test('an installation runs once for each content of its lock file', async () => {
  expect(await install(countRuns)).toBeUndefined();
  expect(await install(countRuns)).toBeUndefined();
  expect(await runs()).toBe('x');
  await writeFile(join(workingFolder, 'lock'), 'second');
  expect(await install(countRuns)).toBeUndefined();
  expect(await runs()).toBe('xx');
});

test('a failed installation reports the reason, and is tried again', async () => {
  const fail = "console.error('npm error code E404\\nnpm error more'); process.exit(1)";
  expect(await install(fail)).toContain('npm error code E404');
  expect(await install(countRuns)).toBeUndefined();
  expect(await runs()).toBe('x');
});

test('a missing tool is named', async () => {
  expect(await install('', 'no-such-program')).toBe('no-such-program is not installed');
});
