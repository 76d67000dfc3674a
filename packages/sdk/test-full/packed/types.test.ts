import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile, linkPackages, type Packed, pack } from './pack.ts';

const libraries = ['zod', 'valibot', '@valibot/to-json-schema', 'arktype', '@types/node'];
let packed: Packed;

beforeAll(async () => {
  packed = await pack();
  await linkPackages(packed.project, libraries);
});

afterAll(() => packed?.remove());

/** The compiler's output for the fixtures, as a user's project with these settings. */
async function compileAs(parts: {
  readonly name: string;
  readonly files: readonly string[];
  readonly options: object;
  readonly typescript?: string;
}): Promise<string> {
  const { name, files, options, typescript } = parts;
  const folder = join(packed.project, name);
  await mkdir(folder);
  const fixtures = fileURLToPath(new URL('../consumers/types', import.meta.url));
  await cp(fixtures, folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const compilerOptions = {
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    ...options,
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  return compile(folder, typescript);
}

/** The compiler of attw, older than the repository's. */
function olderTypescript(): string {
  const require = createRequire(import.meta.url);
  const attw = createRequire(require.resolve('@arethetypeswrong/core'));
  return dirname(attw.resolve('typescript/package.json'));
}

// The package's own types are checked too, without skipLibCheck.
const node = { types: ['node'], lib: ['es2022'] };
const browserTypes = { types: [], lib: ['es2022', 'dom'] };
const both = ['surface.ts', 'required.cts'];
const rows = [
  { name: 'node16', files: both, options: { module: 'node16', ...browserTypes } },
  { name: 'nodenext', files: both, options: { module: 'nodenext', ...browserTypes } },
  {
    name: 'bundler',
    files: ['surface.ts'],
    options: { module: 'esnext', moduleResolution: 'bundler', ...browserTypes },
  },
  {
    name: 'node16 with the types of Node',
    files: both,
    options: { module: 'node16', skipLibCheck: true, ...node },
  },
];

describe('the packed types, strict and with exactOptionalPropertyTypes', () => {
  test.each(rows)('fit a project of $name', async ({ name, files, options }) => {
    expect(await compileAs({ name, files, options })).toBe('');
  });

  test('fit a project of TypeScript 5.6', async () => {
    const options = { module: 'node16', ...browserTypes };
    const typescript = olderTypescript();
    expect(await compileAs({ name: 'older', files: both, options, typescript })).toBe('');
  });

  test.each(['node16', 'bundler'])('runner from zod, valibot and arktype: %s', async (kind) => {
    const module =
      kind === 'bundler' ? { module: 'esnext', moduleResolution: kind } : { module: kind };
    const options = { ...module, skipLibCheck: true, ...browserTypes };
    expect(await compileAs({ name: `schemas-${kind}`, files: ['schemas.ts'], options })).toBe('');
  });
});
