import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('.', import.meta.url));
const installMs = 600_000;

/** Installs the tokenizers beside this file, as locked, and runs no script of theirs. */
export async function installTokenizers(): Promise<void> {
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', argv, { cwd: folder, timeout: installMs });
}

/** What an installed package exports. */
export async function packageOf<Exports>(name: string): Promise<Exports> {
  const path = createRequire(import.meta.url).resolve(name);
  return import(pathToFileURL(path).href);
}
