import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endOf, run, runs } from '../../harness/process.ts';
import type { Scope } from '../../harness/scope.ts';

/** Images and containers of one check, separate from all others of the machine. */
export interface Containers {
  /** The environment that shows podman, buildah and their callers all paths. */
  readonly environment: Readonly<Record<string, string>>;
  podman(...argv: readonly string[]): Promise<string>;
  /** The same for a command that may fail. */
  tryPodman(...argv: readonly string[]): ReturnType<typeof endOf>;
  buildah(...argv: readonly string[]): Promise<string>;
}

const packages = [
  ...['podman', 'buildah', 'runc', 'iptables', 'catatonit', 'netavark', 'aardvark-dns'],
  'golang-github-containers-common',
];

/** Installs podman and its requirements from Debian, where they are missing; requires root. */
export async function installContainers(): Promise<void> {
  const checks = [runs('podman', ['--version']), runs('buildah', ['--version'])];
  if ((await Promise.all([...checks, runs('runc', ['--version'])])).every(Boolean)) return;
  await run('apt-get', ['update']);
  const argv = ['install', '--yes', '--no-install-recommends', ...packages];
  await run('apt-get', argv, { environment: { DEBIAN_FRONTEND: 'noninteractive' } });
}

/** Storage for containers below a folder; the scope ends them and removes it. */
export async function openContainers(scope: Scope, folder: string): Promise<Containers> {
  await mkdir(folder, { recursive: true });
  const conf = join(folder, 'containers.conf');
  const storage = join(folder, 'storage.conf');
  await writeFile(conf, engine);
  await writeFile(storage, storageIn(folder));
  const environment = {
    ...{ CONTAINERS_CONF: conf, CONTAINERS_STORAGE_CONF: storage, TMPDIR: folder },
    // Networks are kept apart from the machine's own too.
    NETAVARK_FW: 'iptables',
  };
  const at = { environment };
  const podman = (...argv: readonly string[]) => run('podman', argv, at);
  scope.add(async () => {
    await podman('rm', '--all', '--force', '--time', '0');
    await podman('rmi', '--all', '--force');
    await run('umount', [join(folder, 'graph/overlay')]).catch(() => 'it was no mount');
  });
  return {
    ...{ environment, podman },
    tryPodman: (...argv) => endOf('podman', argv, at),
    buildah: (...argv) => run('buildah', argv, at),
  };
}

/** Crun rejects mixed versions of cgroups; without CAP_SYS_RESOURCE no limit can be raised. */
const engine = `
[containers]
default_ulimits = ["nofile=8192:8192", "nproc=4096:4096"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[network]
network_backend = "netavark"
`;

const storageIn = (folder: string) => `
[storage]
driver = "overlay"
graphroot = "${join(folder, 'graph')}"
runroot = "${join(folder, 'run')}"
`;
