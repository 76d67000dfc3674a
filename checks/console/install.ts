import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { run } from '../../harness/process.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Installs the browser and its driver beside this file, as locked; no script of theirs runs. */
export async function installBrowser(): Promise<void> {
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', argv, { cwd: folder });
}

/** The path of an installed file. */
export function packagePath(file: string): string {
  return join(folder, 'node_modules', file);
}

/** An installed module, of the type that its caller says. */
export async function moduleOf<T>(file: string): Promise<T> {
  const loaded: T = await import(pathToFileURL(packagePath(file)).href);
  return loaded;
}

/** Where the screenshots of a run are kept; git does not see it. */
export const artefacts = join(folder, 'artefacts');

if (import.meta.main) await installBrowser();
