import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOf, run } from '../../../../harness/process.ts';
import { commands } from '../../src/cli/commands.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createIds } from '../../src/lib/id.ts';
import { readVersion } from '../../src/version.ts';
import { deskYaml } from '../../test/cli/support/desk.ts';
import { ownLauncher, startServed } from '../../test/support/process.ts';

/** Records every module that a process loads except Node's own, and writes the list at its end. */
const watch = `
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';
const loaded = [];
registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
if (isMainThread) process.on('exit', () => {
  const files = loaded.filter((url) => url.startsWith('file:') || url.startsWith('/'));
  writeFileSync(new URL('loaded.json', import.meta.url), JSON.stringify(files));
});
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loaded-modules-'));
  await writeFile(join(folder, 'watch.mjs'), watch);
  await writeFile(join(folder, 'gateway.yaml'), deskYaml);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The modules that a command loads: this repository's from `src`, others by their package. */
async function loadedBy(...commandLine: readonly string[]): Promise<readonly string[]> {
  const words = ['--import', watcher(), ownLauncher, ...commandLine];
  await run(process.execPath, words, { cwd: folder });
  return loaded();
}

/** The modules of `serve`, from its start to its end. */
async function loadedByServing(yaml: string): Promise<readonly string[]> {
  const file = join(folder, 'serve.yaml');
  await writeFile(file, yaml);
  const environment = { NODE_OPTIONS: `--import=${watcher()}` };
  const served = await startServed(['serve', '--config', file], { cwd: folder, environment });
  expect(await served.end('SIGTERM')).toBe(0);
  return loaded();
}

const watcher = () => pathToFileURL(join(folder, 'watch.mjs')).href;

/** The record of the last process, read once. */
async function loaded(): Promise<readonly string[]> {
  const note = join(folder, 'loaded.json');
  const files: readonly string[] = JSON.parse(await readFile(note, 'utf8'));
  await rm(note);
  return files.map(
    (url) =>
      /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ??
      url.replace(/.*\/packages\/(server\/)?/, ''),
  );
}

const packagesOf = (loaded: readonly string[]) => [
  ...new Set(loaded.filter((name) => !/^(src|bin|contract)\//.test(name))),
];

describe('a command loads what it needs', () => {
  test('--version loads only the launcher', async () => {
    expect(await loadedBy('--version')).toEqual(['bin/model-gateway.js']);
  });

  test('--help loads the list of commands, and no command', async () => {
    const loaded = await loadedBy('--help');
    expect(packagesOf(loaded)).toEqual(['commander']);
    expect(loaded.filter((name) => name.startsWith('src/')).toSorted()).toEqual([
      'src/cli/commands.ts',
      'src/cli/process/shared-options.ts',
      'src/cli/program.ts',
      'src/lib/clock.ts',
      'src/lib/id.ts',
      'src/main.ts',
      'src/operations/nouns.ts',
      'src/version.ts',
    ]);
  });

  test('completion loads no command whose words it prints', async () => {
    const loaded = await loadedBy('completion', 'bash');
    expect(packagesOf(loaded)).toEqual(['commander']);
    const ofCommands = loaded.filter((name) => name.startsWith('src/cli/')).toSorted();
    expect(ofCommands).toEqual([
      'src/cli/commands.ts',
      'src/cli/completion.ts',
      'src/cli/process/shared-options.ts',
      'src/cli/program.ts',
    ]);
  });

  test('config schema loads no platform', async () => {
    const loaded = await loadedBy('config', 'schema');
    expect(loaded.filter((name) => /^src\/(platforms|compose)\//.test(name))).toEqual([]);
  });

  test.each([
    'models list',
    'notify list',
    'config diff',
    'projects destroy --yes',
    'rollups rebuild',
  ])('%s loads no platform, no HTTP client and of the simulator only its models', async (line) => {
    const loaded = await loadedBy(...line.split(' '));
    const far = /^(undici|zod|src\/platforms\/(create-platforms|connections)\.ts|simulator\/.*)$/;
    expect(
      loaded.filter((name) => far.test(name) && name !== 'simulator/src/model/models.ts'),
    ).toEqual([]);
  });

  test('threads of the store find their sources compiled already', async () => {
    const environment = { NODE_COMPILE_CACHE: undefined, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
    const options = { cwd: folder, environment };
    const audit = () => endOf(process.execPath, [ownLauncher, 'audit'], options);
    expect((await audit()).code).toBe(0);
    const { stderr } = await audit();
    expect(stderr).toMatch(
      /retrieving transpile cache for \S+ file:\S+reader\/worker.ts...success/,
    );
  });

  test('a command on a SQLite store starts no thread for it', async () => {
    const loaded = await loadedBy('apps', 'list', '--json');
    expect(loaded).toContain('src/store/sqlite/command-store.ts');
    expect(loaded).not.toContain('src/store/sqlite/client.ts');
  });

  test.each([
    ['apps', 'list', '--json'],
    ['keys', 'list', '--app', 'search', '--json'],
    ['tokens', 'list'],
  ])('%s %s loads no platform, no schemas and no driver of PostgreSQL', async (...line) => {
    const loaded = await loadedBy(...line);
    expect(packagesOf(loaded).toSorted()).toEqual(['commander', 'yaml']);
    expect(loaded.filter((name) => /^src\/(platforms|store\/postgres)\//.test(name))).toEqual([]);
  });
});

describe('a service loads what its configuration needs', () => {
  const head = 'company: acme\nlisten: { port: 0 }\nadmin: { port: 0 }\napps: [{ name: search }]\n';
  const oursIn = (loaded: readonly string[]) =>
    [...new Set(loaded.map((name) => name.split('/')[0]))].filter((name) =>
      ['contract', 'lab', 'sdk', 'simulator'].includes(name ?? ''),
    );

  test('with platforms that bill: nothing of lab, sdk and simulator', async () => {
    const platforms = [
      'local: { kind: openai-compatible, baseUrl: "http://127.0.0.1:9/v1" }',
      'openai: { kind: openai, apiKey: "k", baseUrl: "http://127.0.0.1:9" }',
      'claude: { kind: anthropic, apiKey: "k", baseUrl: "http://127.0.0.1:9" }',
    ];
    const loaded = await loadedByServing(`${head}platforms:\n  ${platforms.join('\n  ')}\n`);
    expect(loaded).toContain('src/compose/compose.ts');
    expect(oursIn(loaded)).toEqual(['contract']);
    // Modules for several threads, or for PostgreSQL.
    const optional = /^src\/(.*\/threads\/|store\/postgres\/|ingress\/.*\/shared-)/;
    expect(loaded.filter((name) => optional.test(name))).toEqual([]);
  });

  test('the PostgreSQL store gets its pipeline from compose, and loads none', async () => {
    const store = new URL('../../src/store/postgres/store.ts', import.meta.url);
    await run(process.execPath, ['--import', watcher(), fileURLToPath(store)], { cwd: folder });
    const names = await loaded();
    expect(names).toContain('src/store/postgres/pool.ts');
    expect(names.filter((name) => name.includes('/pipeline/'))).toEqual([]);
  });

  test('with a simulator: that one, and no client', async () => {
    const loaded = await loadedByServing(`${head}platforms: { sandbox: { kind: simulator } }\n`);
    expect(oursIn(loaded).toSorted()).toEqual(['contract', 'lab', 'simulator']);
    expect(loaded.filter((name) => name.startsWith('lab/'))).toEqual([
      'lab/src/simulator/embedded.ts',
      'lab/src/simulator/rows.ts',
    ]);
  });
});

describe('the list of commands', () => {
  const context = {
    clock: systemClock,
    ids: createIds(systemClock),
    environment: {},
    print: () => undefined,
    warn: () => undefined,
    readStandardInput: async () => '',
  };

  test.each(commands.map((entry) => ({ entry, name: entry.name })))(
    'has the same summary of $name as its module',
    async ({ entry: { name, description, load } }) => {
      const program = new Command();
      (await load())(program, context);
      const made = program.commands.map((command) => [command.name(), command.description()]);
      expect(made).toEqual([[name, description]]);
    },
  );
});

test('--version prints the version that the service reports', async () => {
  const stdout = await run(process.execPath, [ownLauncher, '--version']);
  const [version, commit] = stdout.trimEnd().split(' ');
  expect(version).toBe(readVersion());
  // Of a clone; an archive of the sources has none.
  if (commit !== undefined) expect(commit).toMatch(/^\([0-9a-f]{12}\)$/);
});
