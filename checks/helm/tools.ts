import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';

const helmVersion = 'v3.22.0';
const caches = join(homedir(), '.cache', 'model-gateway');
const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));

/** The path of Helm, built once for a machine: no package registry has a release of it. */
export async function findHelm(): Promise<string> {
  const folder = join(caches, `helm-${helmVersion}`);
  const file = join(folder, 'helm');
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  await run('go', ['install', `helm.sh/helm/v3/cmd/helm@${helmVersion}`], {
    environment: { GOBIN: folder, CGO_ENABLED: '0' },
  });
  return file;
}

/** The path of the program with the schemas of Kubernetes, installed once for a machine. */
export async function findValidator(): Promise<string> {
  const sum = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  const folder = join(caches, `kubernetes-validate-${sum.slice(0, 16)}`);
  if (!existsSync(folder)) {
    const making = `${folder}.new`;
    await run('python3', ['-m', 'venv', '--clear', making]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--requirement', requirements];
    await run(join(making, 'bin/python'), pip);
    await rename(making, folder);
  }
  return join(folder, 'bin/python');
}
