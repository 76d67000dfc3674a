import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';

const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));

/**
 * Installs Schemathesis at its exact version into its own environment, which the scope removes, and
 * returns the path of its program. Requires Python 3.10 or later with its module `venv`.
 */
export async function installSchemathesis(scope: Scope): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'model-gateway-schemathesis-'));
  scope.add(async () => rmSync(folder, { recursive: true, force: true }));
  await run('python3', ['-m', 'venv', folder]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  const argv = ['-m', 'pip', 'install', ...quiet, '--no-deps', '--requirement', requirements];
  await run(join(folder, 'bin/python'), argv);
  return join(folder, 'bin/st');
}
