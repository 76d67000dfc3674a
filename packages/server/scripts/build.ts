import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { buildPackage, moveScripts } from '../../../scripts/package/build-package.ts';
import { bundle, findBundled } from './bundled.ts';
import { foreignDependencies, publishedManifest } from './manifest.ts';
import { addOperatorFiles, removeOperatorFiles } from './operator-files.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));

/** Packages of this repository that the server's package bundles: no registry has them. */
const inner = ['contract', 'lab', 'sdk', 'simulator'] as const;

/** The sources as JavaScript, file by file, with those of the packages that they use. */
function fill(dist: string, emitted: string): void {
  moveScripts(join(emitted, 'server/src'), dist);
  for (const name of inner) moveScripts(join(emitted, name, 'src'), join(dist, 'packages', name));
  for (const path of globSync('**/*.js', { cwd: dist })) {
    // Not yet removed, and must not be packed.
    if (!path.startsWith('.emitted')) nameInnerPackages(dist, path);
  }
  const pages = [join(folder, '../console/scripts/build.ts'), join(dist, 'console/pages')];
  execFileSync(process.execPath, pages, { stdio: 'inherit' });
  for (const read of ['store/migrations', 'cli/completion-words.json']) {
    cpSync(join(folder, 'src', read), join(dist, read), { recursive: true });
  }
}

/** Refers to the packages of this repository by path, since no registry has them. */
function nameInnerPackages(dist: string, path: string): void {
  const file = join(dist, path);
  const text = readFileSync(file, 'utf8');
  const names = /(from |import\()'@model-gateway\/(\w+)(\/[\w/-]+)?'/g;
  const named = text.replaceAll(names, (_all, before, name, subpath = '') => {
    const place = relative(dirname(path), placeOf(name, `.${subpath}`));
    return `${before}'${place.startsWith('.') ? place : `./${place}`}'`;
  });
  if (named !== text) writeFileSync(file, named);
}

/** The path in `dist` of a module that a package of this repository exports under a subpath. */
function placeOf(name: string, subpath: string): string {
  const manifest = readFileSync(join(folder, '..', name, 'package.json'), 'utf8');
  const exported: Readonly<Record<string, string | { readonly default: string }>> =
    JSON.parse(manifest).exports;
  const entry = exported[subpath];
  const source = typeof entry === 'object' ? entry.default : entry;
  if (source === undefined) throw new Error(`@model-gateway/${name} exports no ${subpath}`);
  const built = source.replace(/^\.\/src\//, '').replace(/\.ts$/, '.js');
  return name === 'server' ? built : join('packages', name, built);
}

const root = join(folder, '../..');
const modules = join(root, 'node_modules');

/** The packages that are packed with the service's own files. */
function bundledBy(source: string): readonly string[] {
  return findBundled(foreignDependencies(source), modules);
}

/** The packed commit; undefined without git or a repository. */
function readCommit(): string | undefined {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return commit.trim();
  } catch {
    return undefined;
  }
}

await buildPackage(process.argv[2], {
  folder,
  fill,
  publishedManifest: (source) =>
    publishedManifest(
      source,
      readFileSync(join(root, 'package.json'), 'utf8'),
      bundledBy(source),
      readCommit(),
    ),
  companions: {
    add() {
      addOperatorFiles(folder, root);
      bundle(bundledBy(readFileSync(join(folder, 'package.json'), 'utf8')), modules, folder);
    },
    remove: () => removeOperatorFiles(folder),
  },
});
