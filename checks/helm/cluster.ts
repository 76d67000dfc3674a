import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { run } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';
import { until } from '../../harness/until.ts';
import { standIns } from '../compose/stand-ins.ts';
import { rootFolder } from '../image/base.ts';
import type { Containers } from '../image/containers.ts';
import { expect } from '../image/steps.ts';
import { type Manifest, podOf, workloadOf } from './manifests.ts';
import { playable, type Secrets } from './playable.ts';

// Networks belong to the machine, not to the folder: another check might run.
const network = `model-gateway-helm-${process.pid}`;
/** Its name in the network, and in the values. */
const database = 'postgres';

/** The replacement of a cluster: Podman, which plays the rendering of a chart. */
export interface Cluster {
  /** Starts a PostgreSQL with TLS and its own authority; returns the contents of its Secret. */
  startPostgres(): Promise<Secrets>;
  /** Plays a rendering, and waits until each of its pods is ready. */
  play(manifests: readonly Manifest[], secrets: Secrets): Promise<readonly PlayedPod[]>;
  /** Removes the played pods; their claims stay. */
  removePods(): Promise<void>;
}

export interface PlayedPod {
  readonly container: string;
  readonly url: string;
  /** Stops it with the grace period of the rendering; rejects if its exit code is not 0. */
  stop(): Promise<void>;
}

/** The pods' own network; the scope removes it with everything in it. */
export async function openCluster(
  scope: Scope,
  containers: Containers,
  folder: string,
): Promise<Cluster> {
  const { podman } = containers;
  await mkdir(folder, { recursive: true });
  await podman('network', 'create', network);
  scope.add(async () => void (await podman('network', 'rm', '--force', '--time', '0', network)));
  let played = 0;
  const claimed = new Set<string>();
  const addresses = new Map<string, string>();
  return {
    async startPostgres() {
      const secrets = await startPostgres(containers, folder);
      addresses.set(database, await addressOf(containers, database));
      return secrets;
    },
    removePods: async () => void (await podman('pod', 'rm', '--all', '--force')),
    async play(manifests, secrets) {
      played += 1;
      const { kind, metadata, spec } = workloadOf(manifests);
      const isClaimed = claimed.has(metadata.name);
      const file = join(folder, `played-${played}.yaml`);
      await writeFile(file, playable(manifests, { secrets, isClaimed, addresses }));
      claimed.add(metadata.name);
      await podman('kube', 'play', '--network', network, file);
      const names = Array.from({ length: spec?.replicas ?? 1 }, (_each, index) =>
        kind === 'Deployment' ? `${metadata.name}-pod-${index}` : `${metadata.name}-${index}`,
      );
      return Promise.all(names.map((name) => openPod(containers, manifests, name)));
    },
  };
}

async function addressOf({ podman }: Containers, container: string): Promise<string> {
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
  return (await podman('inspect', '--format', format, container)).trim();
}

async function openPod(
  engine: Containers,
  manifests: readonly Manifest[],
  name: string,
): Promise<PlayedPod> {
  const { podman, tryPodman } = engine;
  const { containers, terminationGracePeriodSeconds } = podOf(manifests);
  const [rendered] = containers;
  const container = `${name}-${rendered?.name}`;
  const infra = await podman('pod', 'inspect', '--format', '{{.InfraContainerID}}', name);
  const address = await addressOf(engine, infra.trim());
  const ports: ReadonlyMap<string, number> = new Map(
    rendered?.ports?.map((port) => [port.name, Number(Object(port).containerPort)]),
  );
  for (const probe of [rendered?.startupProbe, rendered?.readinessProbe, rendered?.livenessProbe]) {
    expect(probe !== undefined, 'a probe is missing');
    const port = ports.get(probe?.httpGet.port ?? '');
    const url = `http://${address}:${port}${probe?.httpGet.path}`;
    await until(() => isGood(url)).catch(async (error: unknown) => {
      throw new Error(`${url}: ${error}: ${(await tryPodman('logs', container)).output}`);
    });
  }
  return {
    container,
    url: `http://${address}:${ports.get('http')}`,
    async stop() {
      await podman('stop', '--time', String(terminationGracePeriodSeconds), container);
      const code = await podman('inspect', '--format', '{{.State.ExitCode}}', container);
      const { output } = await tryPodman('logs', '--tail', '5', container);
      expect(code.trim() === '0', `SIGTERM ends it with ${code.trim()}: ${output}`);
    },
  };
}

async function isGood(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    // Nobody listens yet.
    return false;
  }
}

/** As in deploy/compose, with the secrets that it makes. */
async function startPostgres({ podman }: Containers, folder: string): Promise<Secrets> {
  const at = join(folder, 'prepared');
  await mkdir(at, { recursive: true });
  await cp(join(rootFolder, 'deploy/compose/prepare'), join(at, 'prepare'));
  await run('sh', ['prepare'], { cwd: at });
  const secrets = join(at, 'secrets');
  const readable = 'install -m 600 -o postgres /run/secrets/postgres.key /tmp/postgres.key';
  await podman(
    ...['run', '--detach', '--name', database, '--network', network],
    // Each file separately, since the folder is closed to the user of the database.
    ...['database-password', 'postgres.key', 'postgres.pem'].flatMap((file) => {
      return ['--volume', `${join(secrets, file)}:/run/secrets/${file}:ro`];
    }),
    ...['--volume', '/var/lib/postgresql'],
    ...['--env', 'POSTGRES_USER=gateway', '--env', 'POSTGRES_DB=gateway'],
    ...['--env', 'POSTGRES_PASSWORD_FILE=/run/secrets/database-password', standIns.postgres],
    ...['sh', '-c', `${readable} && exec docker-entrypoint.sh "$@"`, 'sh', 'postgres'],
    ...['-c', 'ssl=on', '-c', 'ssl_cert_file=/run/secrets/postgres.pem'],
    ...['-c', 'ssl_key_file=/tmp/postgres.key'],
  );
  const read = (name: string) => readFile(join(secrets, name), 'utf8');
  return {
    gateway: {
      'authority.pem': await read('authority.pem'),
      'key-ring': await read('key-ring'),
      password: await read('database-password'),
    },
  };
}
