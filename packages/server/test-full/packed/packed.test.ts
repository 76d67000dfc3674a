import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run, withoutNpm } from '../../../../harness/process.ts';
import { anchorsOf, linksIn } from '../../../../scripts/markdown/links.ts';
import { startServed } from '../../test/support/process.ts';
import { installProduction } from '../../test/support/production-packages.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

let folder: string;
let project: string;
let installed: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packed-server-'));
  const tarball = await pack(join(folder, 'repository'));
  project = join(folder, 'project');
  await mkdir(project);
  await install(tarball);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Packs in a copy of the repository: other tests use it while its manifest is replaced. */
async function pack(copy: string): Promise<string> {
  const isSource = (path: string) => !/\/(node_modules|dist|test)$/.test(path);
  for (const name of ['server', 'console', 'contract', 'lab', 'sdk', 'simulator']) {
    const path = join('packages', name);
    await cp(join(root, path), join(copy, path), { recursive: true, filter: isSource });
  }
  const others = ['package.json', 'tsconfig.base.json', 'LICENSE', 'scripts/package'];
  const pages = globSync(['*.md', '{benchmarks,checks,examples}/**/README.md'], { cwd: root });
  const ours = pages.filter((path) => !path.includes('node_modules'));
  const read = ['scripts/markdown', 'docs', 'gateway.yaml', 'gateway.schema.json'];
  for (const name of [...others, ...read, ...ours]) {
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  const words = ['pack', '-w', 'packages/server', '--pack-destination', folder];
  await run('npm', words, { cwd: copy, env: withoutNpm() });
  const manifest = 'packages/server/package.json';
  // The repository's own is in its place again, and no other file remains.
  for (const left of ['docs', 'gateway.yaml', 'gateway.schema.json', 'node_modules', 'LICENSE']) {
    expect([left, existsSync(join(copy, 'packages/server', left))]).toEqual([left, false]);
  }
  expect(readFileSync(join(copy, manifest), 'utf8')).toBe(
    readFileSync(join(root, manifest), 'utf8'),
  );
  const name = (await readdir(folder)).find((entry) => entry.endsWith('.tgz'));
  return join(folder, name ?? 'npm pack left no tarball');
}

/** Like npm, without a network: the tarball, and the packages of the lock file. */
async function install(tarball: string): Promise<void> {
  installProduction(project);
  const place = join(project, 'node_modules/@model-gateway');
  // Links into a repository, which does not exist here.
  await rm(place, { recursive: true });
  await mkdir(place);
  await run('tar', ['-xzf', tarball, '-C', project]);
  installed = join(place, 'server');
  await rename(join(project, 'package'), installed);
}

interface Manifest {
  readonly name?: string;
  readonly engines?: { readonly node?: string };
  readonly bundleDependencies?: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8'));
const files = () =>
  globSync('**', { cwd: installed }).filter(
    (path) => /\.\w+$/.test(path) && !path.startsWith('node_modules/'),
  );

test('the packed server is JavaScript, with its workers and every migration', () => {
  const packed = files();
  expect(packed.filter((path) => /\.ts$|test\//.test(path))).toEqual([]);
  const migrations = globSync('packages/server/src/store/migrations/*.sql', { cwd: root });
  const built = migrations.map((path) => path.replace('packages/server/src', 'dist'));
  expect(built.length).toBeGreaterThan(3);
  const threads = ['store/sqlite', 'store/sqlite/reader', 'json-schema', 'cli/threads'];
  const workers = threads.map((folder) => `dist/${folder}/worker.js`);
  for (const path of ['bin/model-gateway.js', 'dist/main.js', ...workers, ...built]) {
    expect(packed).toContain(path);
  }
});

test('the packed server names what it imports, as the lock file pins it', () => {
  const { dependencies, optionalDependencies } = manifestOf(join(installed, 'package.json'));
  const imported = files()
    .filter((path) => path.endsWith('.js'))
    .flatMap((path) => {
      const text = readFileSync(join(installed, path), 'utf8');
      const names = text.matchAll(
        /^(?:import|export|\}).* from '([^.'][^']*)'|import\('([^.'][^']*)'/gm,
      );
      return [...names].map((match) => match[1] ?? match[2] ?? '');
    });
  const packages = imported
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
    .map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0]);
  expect(new Set(packages).size).toBeGreaterThan(10);
  for (const name of new Set(packages)) expect(Object.keys(dependencies)).toContain(name);
  const own = manifestOf(join(root, 'packages/server/package.json'));
  for (const [name, version] of Object.entries(dependencies)) {
    expect([name, own.dependencies[name]]).toEqual([name, version]);
  }
  // The Node that runs it is included, as in the repository.
  expect(optionalDependencies).toEqual(manifestOf(join(root, 'package.json')).optionalDependencies);
});

test('npm of Node 20 has no warning: no package requires a newer one', () => {
  expect(manifestOf(join(installed, 'package.json')).engines).toEqual({ node: '>=20' });
  const isBundled = (name: string) => existsSync(join(installed, 'node_modules', name));
  const top = globSync(['*/package.json', '@*/*/package.json'], {
    cwd: join(project, 'node_modules'),
  }).map((path) => manifestOf(join(project, 'node_modules', path)));
  const others = top.filter(({ name = '' }) => !isBundled(name) && !/^node-|-bin-/.test(name));
  const bundled = globSync(['*/package.json', '@*/*/package.json'], {
    cwd: join(installed, 'node_modules'),
  }).map((path) => manifestOf(join(installed, 'node_modules', path)));
  expect(others.length).toBeGreaterThan(30);
  expect(bundled.map(({ name }) => name)).toContain('undici');
  for (const { name, engines } of [...others, ...bundled]) {
    const majors = (engines?.node ?? '>=0').split('||').map((one) => Number(/\d+/.exec(one)?.[0]));
    expect([name, Math.min(...majors) <= 20]).toEqual([name, true]);
  }
});

test('bundled packages match the lock file, with license and dependencies', () => {
  const modules = join(installed, 'node_modules');
  const { bundleDependencies = [] } = manifestOf(join(installed, 'package.json'));
  expect(bundleDependencies.length).toBeGreaterThan(0);
  const places = globSync(['*/package.json', '@*/*/package.json'], { cwd: modules });
  for (const place of places) {
    const { engines: _, ...ours } = manifestOf(join(root, 'node_modules', place));
    expect(manifestOf(join(modules, place))).toEqual(ours);
    for (const needed of Object.keys(ours.dependencies ?? {})) {
      expect([place, needed, existsSync(join(modules, needed))]).toEqual([place, needed, true]);
    }
  }
});

test('the packed server has what an operator needs', () => {
  const docs = ['alerts.yml', 'grafana-dashboard.json', 'model-gateway@.service', 'openapi.json'];
  const configuration = ['gateway.yaml', 'gateway.schema.json'];
  for (const path of [...configuration, ...docs.map((name) => join('docs', name))]) {
    const packed = readFileSync(join(installed, path), 'utf8');
    expect([path, packed === readFileSync(join(root, path), 'utf8')]).toEqual([path, true]);
  }
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const named = [...readme.matchAll(/`((?:docs\/)?[\w@.-]+\.(?:md|yaml|yml|json|service))`/g)];
  expect(named.length).toBeGreaterThan(10);
  for (const [, path = ''] of named) {
    expect([path, existsSync(join(installed, path))]).toEqual([path, true]);
  }
  expect(readme).toContain('npx model-gateway init');
});

test('the packed server has every document that its documents link to', () => {
  const pages = globSync('**/*.md', { cwd: installed, exclude: ['**/node_modules'] });
  const ours = pages.filter((path) => !path.startsWith('node_modules/'));
  const links = ours.flatMap((path) =>
    linksIn(readFileSync(join(installed, path), 'utf8')).map((link) => [path, link] as const),
  );
  const loose = links.filter(([path, link]) => {
    const [to = '', anchor] = link.split('#');
    const target = join(installed, to === '' ? path : join(dirname(path), to));
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
  });
  expect(loose).toEqual([]);
  // Every page of the repository's docs is included.
  const names = globSync('docs/*.md', { cwd: root });
  expect(names.filter((path) => !ours.includes(path))).toEqual([]);
  expect(links.length).toBeGreaterThan(300);
});

test('the packed server writes its first configuration, and serves with it', async () => {
  const empty = join(folder, 'empty');
  await mkdir(empty);
  const launcher = join(installed, 'bin/model-gateway.js');
  const stdout = await run(process.execPath, [launcher, 'init'], { cwd: empty });
  expect(stdout).toContain('Wrote gateway.yaml');
  const file = join(empty, 'gateway.yaml');
  const [, schema = ''] =
    /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(file, 'utf8')) ?? [];
  expect(realpathSync(join(empty, schema))).toBe(
    realpathSync(join(installed, 'gateway.schema.json')),
  );
  await writeFile(file, readFileSync(file, 'utf8').replaceAll(/port: 878\d/g, 'port: 0'));
  const served = await startServed(['serve'], { cwd: empty, launcher });
  expect((await fetch(`${served.url}/health`)).status).toBe(200);
  expect(await served.end('SIGTERM')).toBe(0);
});

test('the packed server prints a completion script', async () => {
  const launcher = join(installed, 'bin/model-gateway.js');
  const stdout = await run(process.execPath, [launcher, 'completion', 'bash']);
  expect(stdout).toContain('reconcile');
});

test('the packed server serves calls from an empty folder, and stops with 0', async () => {
  await writeFile(
    join(project, 'gateway.yaml'),
    `company: acme
threads: 2
listen: { port: 0 }
admin: { port: 0 }
platforms: { sandbox: { kind: simulator } }
apps: [{ name: search, dailyBudgetUsd: "5" }]
`,
  );
  const launcher = join(installed, 'bin/model-gateway.js');
  const command = async (...words: readonly string[]) => {
    const stdout = await run(process.execPath, [launcher, ...words], { cwd: project });
    return stdout;
  };
  const issue = ['keys', 'issue', '--app', 'search', '--email', 'team@acme.example', '--json'];
  const { key } = JSON.parse(await command(...issue));
  const served = await startServed(['serve'], { cwd: project, launcher });
  const post = async (route: string, more: object) => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const response = await fetch(`${served.url}/v1/${route}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ maxTokens: 100, messages, ...more }),
    });
    return [response.status, await response.json()];
  };
  expect(await post('chat', { model: 'sim-echo' })).toMatchObject([200, { text: 'Hello' }]);
  // The checks of callers' schemas have their own thread.
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const object = await post('objects', { model: 'sim-echo', schema });
  expect(object).toMatchObject([200, { object: { city: expect.any(String) } }]);
  expect(await served.end('SIGTERM')).toBe(0);
  expect(JSON.parse(await command('audit', '--json'))).toMatchObject({ clean: true });
});

test('the packed server has what production never loads, too', async () => {
  const launcher = join(installed, 'bin/model-gateway.js');
  const command = async (...words: readonly string[]) => {
    const stdout = await run(process.execPath, [launcher, ...words], { cwd: folder });
    return stdout;
  };
  expect(JSON.parse(await command('demo', '--json'))).toMatchObject({ ok: true });
  expect(await command('attack', '--help')).toContain('--minutes');
  const simulator = await startServed(['simulator', '--port', '0'], { cwd: folder, launcher });
  expect((await fetch(`${simulator.url}/simulator/bill`)).status).toBe(200);
  expect(await simulator.end('SIGTERM')).toBe(0);
});
