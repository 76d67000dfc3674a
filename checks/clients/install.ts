import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** The Pythons of the clients: some of the clients cannot share an environment. */
export const pythons = {
  clients: pythonOf('.python'),
  /** With version 3 of OpenAI's client. */
  agents: pythonOf('.python-agents'),
  crewai: pythonOf('.python-crewai'),
};

const requirements = {
  clients: 'requirements.txt',
  agents: 'requirements-agents.txt',
  crewai: 'requirements-crewai.txt',
};

/** Installs the locked clients next to this file, without their scripts. */
export async function installClients(): Promise<void> {
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', argv, { cwd: folder });
  await Promise.all((['clients', 'agents', 'crewai'] as const).map(installPython));
}

async function installPython(name: keyof typeof pythons): Promise<void> {
  await run('python3', ['-m', 'venv', join(pythons[name], '../..')]);
  const wheels = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:'];
  const list = ['--requirement', join(folder, requirements[name])];
  await run(pythons[name], ['-m', 'pip', 'install', ...wheels, ...list]);
}

function pythonOf(environment: string): string {
  return join(folder, 'node_modules', environment, 'bin/python');
}
