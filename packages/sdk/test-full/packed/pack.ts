import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** A folder of a test's own, with the client packed and somebody's project that installed it. */
export interface Packed {
  readonly tarball: string;
  /** A project with the client in its `node_modules`, as its users have it. */
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

/** Lets a project use packages of the repository as well. */
export async function linkPackages(project: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const target = join(project, 'node_modules', name);
    await mkdir(dirname(target), { recursive: true });
    await symlink(join(root, 'node_modules', name), target);
  }
}

/** Runs the compiler; answers what it says, `''` when it is content. */
export async function compile(project: string, typescript = 'typescript'): Promise<string> {
  const require = createRequire(import.meta.url);
  const compiler = join(dirname(require.resolve(`${typescript}/package.json`)), 'bin/tsc');
  const { code, stdout, stderr } = await runToEnd(process.execPath, [compiler, '-p', project]);
  return code === 0 ? stdout : `${stdout}${stderr}it ended with ${code}`;
}

/** Runs npm as a user would: without the settings of an npm that this process runs under. */
export async function npm(folder: string, commands: readonly string[]): Promise<void> {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_')),
  );
  const { code, stderr } = await runToEnd('npm', commands, { cwd: folder, env });
  if (code !== 0) throw new Error(`npm ${commands.join(' ')} failed:\n${stderr}`);
}

/** More than the busiest machine needs for ten thousand calls. */
export const runMsMax = 300_000;

/** How a program ended. */
export interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program until it exits by itself. One that never does is a failure, a slow one is not. */
export async function runToEnd(
  program: string,
  values: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  try {
    const ended = await promisify(execFile)(program, values, { timeout: runMsMax, ...options });
    return { code: 0, ...ended };
  } catch (error) {
    const { code, stdout, stderr } = Object(error);
    return { code: code ?? 'killed', stdout: String(stdout), stderr: String(stderr) };
  }
}
