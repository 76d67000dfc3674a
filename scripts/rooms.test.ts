import { readFileSync } from 'node:fs';
import { copyFile, glob, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endOf } from '../harness/process.ts';
import { roomFiles, rooms, usedBy } from './rooms.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Forbidden imports, and the rule of each; each import has its own file. */
const forbidden = [
  ['packages/server/src/registry', '../ingress/b.ts'],
  ['packages/server/src/ingress/limits', '../../operations/b.ts'],
  ['packages/server/src/observe', '../ingress/b.ts'],
  ['packages/server/src/cli', '../store/b.ts'],
  ['packages/server/src/admin-api', '../store/b.ts'],
  ['packages/server/src/platforms/mantle', '../../store/b.ts'],
  ['packages/server/src/lib', '../domain/limits.ts'],
  ['packages/server/src/books', '../store/b.ts'],
  ['packages/server/src', './store/b.ts'],
  ['packages/server/src/ingress', '@model-gateway/sdk'],
  ['packages/server/src/compose', '@model-gateway/simulator'],
  ['packages/server/src/compose', '@model-gateway/lab/demo'],
  ['packages/server/src/ingress', '../../../sdk/src/b.ts'],
  ['packages/lab/src/demo', '../../../server/src/main.ts'],
  ['packages/contract/src', 'typebox'],
  ['packages/simulator/src', '@model-gateway/contract'],
  ['packages/sdk/src', 'undici'],
  ['packages/console/src/pages', '@model-gateway/server/operations/keys/keys'],
  ['packages/console/src/pages', '@model-gateway/sdk'],
  ['packages/console/src/pages', 'node:crypto'],
] as const;

const allowed = [
  ['packages/server/src', './cli/b.ts'],
  ['packages/server/src/ingress/limits', '../../store/b.ts'],
  ['packages/server/src/ingress/limits', '../body/b.ts'],
  ['packages/server/src/store', '../books/b.ts'],
  ['packages/server/src/store', 'pg'],
  ['packages/server/src/cli', '@model-gateway/lab/demo'],
  ['packages/lab/src/demo', '@model-gateway/sdk'],
  ['packages/lab/src/demo', '@model-gateway/server/operations/keys/keys'],
  ['packages/sdk/src', 'node:crypto'],
  ['packages/simulator/src', 'hono'],
  ['packages/console/src/pages', '@model-gateway/server/operations/documents'],
  ['packages/console/src/pages', 'preact-iso'],
] as const;

const statements = (from: string) => [
  `import { b } from '${from}';\nvoid b;\n`,
  `import type { B } from '${from}';\nexport type C = B;\n`,
  `export * from '${from}';\n`,
  `void import('${from}');\n`,
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rooms-'));
  for (const name of ['biome.jsonc', 'biome.rooms.jsonc', '.gitignore']) {
    await copyFile(join(root, name), join(folder, name));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The files, of these, in which the rule finds something. */
async function findingsOf(rule: string, files: Readonly<Record<string, string>>) {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const words = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', `--only=${rule}`];
  const argv = [...words, ...Object.keys(files)];
  const { stdout } = await endOf(process.execPath, argv, { cwd: folder });
  const report: { diagnostics: { location: { path: string } }[] } = JSON.parse(stdout);
  return [...new Set(report.diagnostics.map(({ location }) => location.path))].toSorted();
}

/** One file for each statement of each pair: `a-0-1.ts`, in its folder. */
function filesOf(pairs: typeof forbidden | typeof allowed, name: string) {
  return Object.fromEntries(
    pairs.flatMap(([location, from], row) =>
      statements(from).map((text, way) => [`${location}/${name}-${row}-${way}.ts`, text]),
    ),
  );
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const written = roomFiles(read('docs/architecture.md'));

test.each([...written])('%s is current: npx node scripts/write-rooms.ts', (path, text) => {
  expect(read(path)).toBe(text);
});

test('the drawing of the document is under its heading', () => {
  const files = roomFiles('## Import rules\n\n```text\nold\n```\n');
  expect(files.get('docs/architecture.md')).toContain('main        → cli, lib\n');
  expect(read('docs/architecture.md')).toContain('\n## Import rules\n\n```text\nmain');
});

test('a room uses only rooms that are below it in the list', () => {
  const names = [...new Set(rooms.map(({ name }) => name))];
  for (const room of rooms) {
    const below = names.slice(names.indexOf(room.name) + 1);
    const used = usedBy(room);
    expect(below, room.name).toEqual(expect.arrayContaining([...used]));
    expect(used, room.name).toEqual(below.filter((name) => used.includes(name)));
  }
});

test('a room is allowed only its actual imports', async () => {
  for (const room of rooms.filter(({ files }) => files === undefined)) {
    const imports = await importsOf(`packages/server/src/${room.name}`);
    for (const name of usedBy(room)) expect(imports, room.name).toContain(name);
    for (const name of room.packages)
      expect(imports, room.name).toContain(`@model-gateway/${name}`);
  }
});

/** The rooms and packages that the files of a folder import. */
async function importsOf(location: string): Promise<ReadonlySet<string>> {
  const imports = new Set<string>();
  for await (const path of glob(`${location}/**/*.ts`, { cwd: root })) {
    for (const [, from = ''] of read(path).matchAll(/\b(?:from|import\() ?'([^']+)'/g)) {
      const at = from.startsWith('.') ? join('/', dirname(path), from) : from;
      const [, room, name] = /^\/packages\/server\/src\/([^/]+)|^(@[^/]+\/[^/]+)/.exec(at) ?? [];
      imports.add(room ?? name ?? '');
    }
  }
  return imports;
}

test('a room imports what the table allows it, and nothing else, types included', async () => {
  const wrong = filesOf(forbidden, 'wrong');
  const right = filesOf(allowed, 'right');
  const findings = await findingsOf('style/noRestrictedImports', { ...wrong, ...right });
  expect(findings).toEqual(Object.keys(wrong).toSorted());
});

test('no files import each other, types included', async () => {
  const files = {
    'scripts/a.ts': "import type { B } from './b.ts';\nexport type A = B;\n",
    'scripts/b.ts': "import type { A } from './a.ts';\nexport type B = A;\n",
    'scripts/c.ts': "import type { B } from './b.ts';\nexport type C = B;\n",
  };
  expect(await findingsOf('suspicious/noImportCycles', files)).toEqual([
    'scripts/a.ts',
    'scripts/b.ts',
  ]);
});

test('a file is named in kebab-case', async () => {
  const files = { 'scripts/camelCase.ts': '', 'scripts/kebab-case.test.ts': '' };
  expect(await findingsOf('style/useFilenamingConvention', files)).toEqual([
    'scripts/camelCase.ts',
  ]);
});

test('a function has at most 60 lines, with those of the functions in it', async () => {
  const lines = (count: number) => 'void 0;\n'.repeat(count);
  const inner = `function inner() {\n${lines(40)}}\n`;
  const files = {
    'packages/server/src/lib/short.ts': `export function a() {\n${lines(60)}}\n`,
    'packages/server/src/lib/long.ts': `export function a() {\n${lines(61)}}\n`,
    'packages/server/src/lib/outer.ts': `export function a() {\n${lines(30)}${inner}}\n`,
  };
  expect(await findingsOf('complexity/noExcessiveLinesPerFunction', files)).toEqual([
    'packages/server/src/lib/long.ts',
    'packages/server/src/lib/outer.ts',
  ]);
});

test('the client imports only types of the contract', async () => {
  const files = {
    'packages/sdk/package.json': '{ "devDependencies": { "@model-gateway/contract": "0.1.0" } }',
    'packages/sdk/src/types.ts':
      "import type { A } from '@model-gateway/contract';\nexport type B = A;\n",
    'packages/sdk/src/values.ts': "import { a } from '@model-gateway/contract';\nvoid a;\n",
  };
  expect(await findingsOf('correctness/noUndeclaredDependencies', files)).toEqual([
    'packages/sdk/src/values.ts',
  ]);
});
