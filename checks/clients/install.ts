import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const environment = join(folder, 'node_modules/.python');

/** The Python that has the clients. */
export const python = join(environment, 'bin/python');

/** Installs the clients beside this file as locked; no script of theirs runs. */
export async function installClients(): Promise<void> {
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', argv, { cwd: folder });
  await run('python3', ['-m', 'venv', environment]);
  const wheels = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:'];
  const requirements = ['--requirement', join(folder, 'requirements.txt')];
  const pip = ['-m', 'pip', 'install', ...wheels, ...requirements];
  await run(python, pip);
}
