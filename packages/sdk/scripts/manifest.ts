const faces = (name: string) => ({
  import: { types: `./dist/${name}.d.mts`, default: `./dist/${name}.mjs` },
  require: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
});

/**
 * The published `package.json`: the built files in place of the sources. Publish the tarball, not
 * the folder: npm reads a folder's manifest again after it has been taken back.
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
