import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Installs the locked servers next to this file, without their scripts. */
export async function installServers(): Promise<void> {
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', argv, { cwd: folder });
}

export function packagePath(file: string): string {
  return join(folder, 'node_modules', file);
}
