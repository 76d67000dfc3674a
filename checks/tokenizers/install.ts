import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { run } from '../../harness/process.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Installs the locked tokenizers next to this file, without their scripts. */
export async function installTokenizers(): Promise<void> {
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', argv, { cwd: folder });
}

export async function packageOf<Exports>(name: string): Promise<Exports> {
  const path = createRequire(import.meta.url).resolve(name);
  return import(pathToFileURL(path).href);
}
