import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Installs the servers beside this file, as locked, and runs no script of theirs. */
export async function installServers(): Promise<void> {
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', argv, { cwd: folder });
}

/** The path of an installed file. */
export function packagePath(file: string): string {
  return join(folder, 'node_modules', file);
}
