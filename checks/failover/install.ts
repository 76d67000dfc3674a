import { access, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, runs } from '../../harness/process.ts';

const packages = [
  ...['patroni', 'etcd-server', 'python3-etcd', 'haproxy', 'pgbouncer', 'postgresql'],
];
const policy = '/usr/sbin/policy-rc.d';
const installed = '/usr/lib/postgresql';

/** Installs the cluster's missing programs from Debian; requires root. */
export async function installCluster(): Promise<void> {
  const checks = [
    runs('patroni', ['--version']),
    runs('etcd', ['--version']),
    runs('haproxy', ['-v']),
    runs('pgbouncer', ['--version']),
    runs('python3', ['-c', 'import etcd']),
    findPostgres().then(
      () => true,
      () => false,
    ),
  ];
  if ((await Promise.all(checks)).every(Boolean)) return;
  await run('apt-get', ['update']);
  await withoutServices(async () => {
    const argv = ['install', '--yes', '--no-install-recommends', ...packages];
    await run('apt-get', argv, { environment: { DEBIAN_FRONTEND: 'noninteractive' } });
  });
}

/** Debian starts what it installs, on the default ports: not here. */
async function withoutServices(work: () => Promise<void>): Promise<void> {
  const isOwn = !(await isThere(policy));
  if (isOwn) await writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await work();
  } finally {
    if (isOwn) await rm(policy);
  }
}

/** The folder of Debian's newest PostgreSQL that supports replication. */
export async function findPostgres(): Promise<string> {
  const versions = (await readdir(installed)).toSorted((a, b) => Number(b) - Number(a));
  for (const version of versions) {
    const folder = join(installed, version, 'bin');
    if (await isThere(join(folder, 'pg_rewind'))) return folder;
  }
  throw new Error(`no PostgreSQL with pg_rewind is in ${installed}`);
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
