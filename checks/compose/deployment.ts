import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../harness/free-port.ts';
import { run, start } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';
import { rootFolder } from '../image/base.ts';
import type { Containers } from '../image/containers.ts';
import { standIns } from './stand-ins.ts';

const load = fileURLToPath(new URL('load.ts', import.meta.url));
const requirements = fileURLToPath(new URL('requirements.txt', import.meta.url));

/** The deployment of deploy/compose, running. */
export interface Deployment {
  readonly url: string;
  /** Calls it as its document does: with curl, and the authority that `prepare` has made. */
  curl(...argv: readonly string[]): Promise<string>;
  container(service: string): string;
  /**
   * Makes 100 calls a second until the returned function is called, which returns their results.
   */
  startLoad(key: string): () => Promise<{ answered: number; failed: readonly string[] }>;
}

/** Starts it on stand-ins, in a copy of its folder; the scope stops it. */
export async function startDeployment(
  scope: Scope,
  containers: Containers,
  parts: { readonly folder: string; readonly image: string },
): Promise<Deployment> {
  const at = join(parts.folder, 'deploy/compose');
  await mkdir(at, { recursive: true });
  await cp(join(rootFolder, 'deploy/compose'), at, { recursive: true });
  await run('sh', ['prepare'], { cwd: at });
  await allowLoad(join(at, 'gateway.yaml'));
  const port = await freePort();
  const compose = await composeIn(containers, { at, port, ...parts });
  scope.add(async () => void (await compose('down', '--volumes', '--timeout', '5')));
  await compose('up', '--detach', '--no-build');
  const url = `https://localhost:${port}`;
  const authority = join(at, 'secrets/authority.pem');
  return {
    url,
    curl: (...argv) => run('curl', ['--silent', '--cacert', authority, ...argv]),
    container: (service) => `model-gateway_${service}_1`,
    startLoad: (key) => startLoad({ url, key, authority }),
  };
}

/** A first configuration has the rate limit and the budget for a first call only. */
async function allowLoad(file: string): Promise<void> {
  const yaml = await readFile(file, 'utf8');
  const plans = 'plans: { user: { ratePerSecond: 1000, burst: 1000, requestsPerDay: 1000000 } }\n';
  await writeFile(file, `${yaml.replace('dailyBudgetUsd: "5"', 'dailyBudgetUsd: "5000"')}${plans}`);
}

/** podman-compose of PyPI, installed only for this run: Debian's is old. */
async function composeIn(
  { environment }: Containers,
  parts: { at: string; folder: string; image: string; port: number },
) {
  const python = join(parts.folder, 'python');
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', python];
  await run('python3', [...pip, '--requirement', requirements]);
  const added = {
    ...{ ...environment, PYTHONPATH: python, PORT: String(parts.port) },
    ...{ MODEL_GATEWAY_IMAGE: parts.image, NGINX_IMAGE: standIns.nginx },
    POSTGRES_IMAGE: standIns.postgres,
  };
  return (...argv: readonly string[]) =>
    run('python3', ['-m', 'podman_compose', ...argv], { cwd: parts.at, environment: added });
}

function startLoad(parts: { url: string; key: string; authority: string }) {
  const { url, key, authority } = parts;
  const environment = {
    GATEWAY_URL: url,
    GATEWAY_KEY: key,
    NODE_EXTRA_CA_CERTS: authority,
  };
  const calling = start(process.execPath, [load], {
    environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return async () => {
    calling.child.stdin?.end();
    await calling.ended;
    const result: { answered: number; failed: readonly string[] } = JSON.parse(calling.stdout());
    return result;
  };
}
