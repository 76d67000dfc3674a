import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';

/** The folder of the CDK app, which has its own packages. */
export const awsFolder = fileURLToPath(new URL('../../deploy/aws', import.meta.url));

/** Installs the locked packages next to the CDK app, without their scripts. */
export async function installPackages(): Promise<void> {
  const argv = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', argv, { cwd: awsFolder });
}

/**
 * Installs cfn-lint at its exact version into its own environment, once for a machine, and returns
 * the path of its program. Requires Python 3.10 or later with its module `venv`.
 */
export async function installLint(): Promise<string> {
  const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));
  const hash = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const folder = join(homedir(), '.cache', 'model-gateway', `cfn-lint-${hash.slice(0, 16)}`);
  if (!existsSync(join(folder, 'installed'))) {
    // A leftover of an interrupted installation is incomplete.
    await rm(folder, { recursive: true, force: true });
    await run('python3', ['-m', 'venv', folder]);
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps'];
    const argv = ['-m', 'pip', 'install', ...quiet, '--requirement', requirements];
    await run(join(folder, 'bin/python'), argv);
    await writeFile(join(folder, 'installed'), '');
  }
  return join(folder, 'bin/cfn-lint');
}
