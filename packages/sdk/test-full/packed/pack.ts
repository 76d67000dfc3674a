import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endOf, run, withoutNpm } from '../../../../harness/process.ts';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** A test's own folder, with the packed client and a user's project that installed it. */
export interface Packed {
  readonly tarball: string;
  /** A project with the client in its `node_modules`, as users have it. */
  readonly project: string;
  remove(): Promise<void>;
}

/**
 * Packs the client with `npm pack -w packages/sdk`, and installs the tarball. It works in a copy
 * of the repository: other tests resolve this package while its manifest is replaced.
 */
export async function pack(): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'packed-sdk-'));
  const copy = join(folder, 'repository');
  const isSource = (path: string) => !/\/(node_modules|dist|test)$/.test(path);
  for (const name of ['packages/sdk', 'packages/contract', 'scripts/package']) {
    await cp(join(root, name), join(copy, name), { recursive: true, filter: isSource });
  }
  for (const name of ['package.json', 'tsconfig.base.json', 'LICENSE']) {
    await cp(join(root, name), join(copy, name));
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  await npm(copy, ['pack', '-w', 'packages/sdk', '--pack-destination', folder]);
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.tgz'));
  if (name === undefined) throw new Error('npm pack left no tarball');

  const project = join(folder, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "name": "project", "private": true }\n');
  const tarball = join(folder, name);
  await npm(project, ['install', '--offline', '--no-audit', '--no-fund', tarball]);
  return { tarball, project, remove: () => rm(folder, { recursive: true }) };
}

/** Lets a project also use packages of the repository. */
export async function linkPackages(project: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const target = join(project, 'node_modules', name);
    await mkdir(dirname(target), { recursive: true });
    await symlink(join(root, 'node_modules', name), target);
  }
}

/** Runs the compiler; returns its output, `''` for success. */
export async function compile(project: string, typescript = 'typescript'): Promise<string> {
  const require = createRequire(import.meta.url);
  const compiler = join(dirname(require.resolve(`${typescript}/package.json`)), 'bin/tsc');
  const { code, stdout, stderr } = await endOf(process.execPath, [compiler, '-p', project]);
  return code === 0 ? stdout : `${stdout}${stderr}it ended with ${code}`;
}

/** Runs npm as a user would: without the settings of an npm that this process runs under. */
export async function npm(folder: string, commands: readonly string[]): Promise<void> {
  await run('npm', commands, { cwd: folder, env: withoutNpm() });
}
