import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('.', import.meta.url));
const installMs = 300_000;

/** Installs the servers beside this file, as locked, and runs no script of theirs. */
export async function installStrangers(): Promise<void> {
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', argv, { cwd: folder, timeout: installMs });
}

/** The path of an installed file. */
export function packagePath(file: string): string {
  return join(folder, 'node_modules', file);
}
