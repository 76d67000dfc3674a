import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import {
  type PostgresServer,
  startPostgresServer,
} from '../../packages/server/test/support/postgres-server.ts';
import { rootFolder } from './markdown.ts';
import { openShell, type Shell } from './shell.ts';

/** An empty folder with the machine that docs/operations.md expects. */
export interface OperatorMachine {
  readonly shell: Shell;
  /** A command of the document, with ports that are free here. */
  here(command: string): string;
  /** Output with the ports of the document. */
  there(printed: string): string;
  close(): Promise<void>;
}

/** The ports of the document, the database's last. */
const shownPorts = [8787, 8788, 8789, 8790, 5432] as const;

/**
 * PostgreSQL from npm, with passwords checked. Stand-ins replace programs that a bare machine
 * lacks: curl, psql, pg_dump and pg_restore. `sudo` runs its command, `git clone` copies this
 * working tree, and `npm ci` copies the packages installed here. With `PROVE=long` it is npm's own
 * `npm ci`, which takes minutes on a busy machine.
 */
export async function openOperatorMachine(): Promise<OperatorMachine> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-operator-'));
  const ports = await freePorts(shownPorts.length);
  const pairs = shownPorts.map((shown, at) => ({ shown, free: ports[at] ?? 0 }));
  const postgresPort = ports.at(-1) ?? 0;
  const rules = join(folder, 'pg_hba.conf');
  // The user gateway needs the password; the administrator does not.
  await writeFile(rules, 'host all postgres all trust\nhost all all all scram-sha-256\n');
  await chmod(rules, 0o644);
  await chmod(folder, 0o755);
  const server = await startPostgresServer(postgresPort, [`hba_file=${rules}`]);
  const programs = join(folder, 'bin');
  await mkdir(programs);
  await writePrograms(programs, postgresPort);
  const home = join(folder, 'home');
  await mkdir(home);
  const shell = openShell({ cwd: home, env: environment(programs) });
  return {
    shell,
    here: (command) => pairs.reduce(replacePort('shown', 'free'), command),
    there: (printed) => pairs.reduce(replacePort('free', 'shown'), printed),
    close: () => closeAll(shell, server, folder),
  };
}

type PortPair = Record<'shown' | 'free', number>;

function replacePort(from: keyof PortPair, to: keyof PortPair) {
  return (text: string, pair: PortPair) =>
    text.replaceAll(new RegExp(`\\b${pair[from]}\\b`, 'g'), String(pair[to]));
}

/** A user's own shell: without this repository, and without an npm around this test. */
function environment(programs: string): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|MODEL_GATEWAY_|VITEST|NODE_|PG)/i.test(name),
  );
  const own = join(rootFolder, 'node_modules/.bin');
  const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => path !== own);
  return { ...Object.fromEntries(others), PATH: [programs, ...paths].join(delimiter) };
}

async function writePrograms(folder: string, postgresPort: number): Promise<void> {
  const standIn = (file: string) =>
    `exec "${process.execPath}" "${join(rootFolder, 'examples/testing', file)}" "$@"`;
  const programs = {
    curl: standIn('curl-stand-in.ts'),
    psql: standIn('stand-ins/psql.ts'),
    pg_dump: standIn('stand-ins/pg-dump.ts'),
    pg_restore: standIn('stand-ins/pg-restore.ts'),
    // It lists the files with the machine's own git.
    git: `PATH='${process.env.PATH ?? ''}' ${standIn('stand-ins/git.ts')}`,
    ...(process.env.PROVE === 'long' ? {} : { npm: standIn('stand-ins/npm.ts') }),
    sudo: `shift 2; PGHOST=127.0.0.1 PGPORT=${postgresPort} PGUSER=postgres exec "$@"`,
  };
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
}

async function closeAll(shell: Shell, server: PostgresServer, folder: string): Promise<void> {
  await shell.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
}

/** Different free ports: all are held until the last is found. */
async function freePorts(count: number): Promise<readonly number[]> {
  const probes = await Promise.all(
    Array.from({ length: count }, async () => {
      const probe = createServer();
      await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
      return probe;
    }),
  );
  return Promise.all(
    probes.map(async (probe) => {
      const address = probe.address();
      await new Promise((resolve) => probe.close(resolve));
      return typeof address === 'object' && address !== null ? address.port : 0;
    }),
  );
}
