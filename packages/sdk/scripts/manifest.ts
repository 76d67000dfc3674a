import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const faces = (name: string) => ({
  import: { types: `./dist/${name}.d.mts`, default: `./dist/${name}.mjs` },
  require: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
});

/**
 * The published `package.json`: the built files in place of the sources. In the repository the
 * package is its sources, which need no build; npm has no setting for the difference, so it is
 * written before packing and taken back afterwards. Publish the tarball, not the folder: npm reads
 * a folder's manifest again after it has been taken back.
 */
export function publishedManifest(source: string): string {
  const {
    scripts: _,
    devDependencies: __,
    type: ___,
    exports: ____,
    ...manifest
  } = JSON.parse(source);
  const published = {
    ...manifest,
    type: 'commonjs',
    main: './dist/index.js',
    types: './dist/index.d.ts',
    // For resolution as it was before `exports`.
    typesVersions: { '*': { testing: ['./dist/testing.d.ts'] } },
    exports: {
      '.': faces('index'),
      './testing': faces('testing'),
      './package.json': './package.json',
    },
    sideEffects: false,
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}

/** Puts the published manifest in the place of the repository's. */
export function replaceManifest(folder: string): void {
  const source = readFileSync(join(folder, 'package.json'), 'utf8');
  writeFileSync(join(folder, keptName), source);
  writeFileSync(join(folder, 'package.json'), publishedManifest(source));
  copyFileSync(join(folder, '../../LICENSE'), join(folder, 'LICENSE'));
}

/** Takes it back; does nothing when the repository's is in place. */
export function restoreManifest(folder: string): void {
  const kept = join(folder, keptName);
  if (!existsSync(kept)) return;
  writeFileSync(join(folder, 'package.json'), readFileSync(kept, 'utf8'));
  rmSync(kept);
  rmSync(join(folder, 'LICENSE'));
}

/** Not within `dist`, which is packed. */
const keptName = '.package.source.json';
