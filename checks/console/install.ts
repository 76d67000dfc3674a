import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { run } from '../../harness/process.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Installs the locked browser and its driver next to this file, without their scripts. */
export async function installBrowser(): Promise<void> {
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', argv, { cwd: folder });
}

export function packagePath(file: string): string {
  return join(folder, 'node_modules', file);
}

/** An installed module, with the type that its caller names. */
export async function moduleOf<T>(file: string): Promise<T> {
  const loaded: T = await import(pathToFileURL(packagePath(file)).href);
  return loaded;
}

/** The folder of a run's screenshots; git ignores it. */
export const artefacts = join(folder, 'artefacts');

if (import.meta.main) await installBrowser();
