import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, type Started } from '../../harness/process.ts';
import { type NodeLocation, patroniYaml } from './configurations.ts';
import { killAll, nobody, processesIn, startDaemon } from './daemon.ts';
import { type Link, openLink } from './link.ts';

/** One machine of the cluster: Patroni, its PostgreSQL, and its own disk. */
export interface ClusterNode extends NodeLocation {
  readonly link: Link;
  start(): void;
  /** Kills PostgreSQL, but not Patroni. */
  killPostgres(): Promise<void>;
  /** Kills everything of it, as a loss of power does. */
  kill(): Promise<void>;
  /** Fills its disk completely. */
  fillDisk(): Promise<void>;
  freeDisk(): Promise<void>;
  close(): Promise<void>;
}

/** Small enough for a quick fill, and large enough for the log of a run. */
const diskBytes = 2 * 1024 ** 3;

/**
 * Makes a node, and starts it. Its disk is memory: this check does not test the promises of a disk.
 */
export async function openNode(
  location: NodeLocation,
  parts: { readonly etcdPort: number; readonly binaries: string },
): Promise<ClusterNode> {
  const { folder, ports } = location;
  const data = join(folder, 'data');
  const filler = join(folder, 'filler');
  await mkdir(folder);
  const options = `size=${diskBytes},mode=0755,uid=${nobody},gid=${nobody}`;
  await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
  const file = join(folder, 'patroni.yml');
  await writeFile(file, patroniYaml(location, parts));
  const link = await openLink(ports.link, ports.postgres);
  let patroni: Started | undefined;
  start();
  return { ...location, link, start, killPostgres, kill, fillDisk, freeDisk, close };

  function start() {
    // Outside of its disk, to be readable when the disk is full.
    patroni = startDaemon({ file: 'patroni', argv: [file], folder, logFile: `${folder}.log` });
  }

  async function killPostgres() {
    killAll(await processesIn(data));
  }

  async function kill() {
    await patroni?.end('SIGKILL');
    await killPostgres();
  }

  async function fillDisk() {
    // It fails with the number of missing bytes, as intended.
    await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M']).catch(() => undefined);
  }

  async function freeDisk() {
    await run('rm', ['--force', filler]);
  }

  async function close() {
    await kill();
    await link.close();
    await run('umount', ['--lazy', folder]);
  }
}
