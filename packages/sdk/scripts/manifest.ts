/** An entry for `import` and `require`; `form` is a suffix of its files' names. */
const faces = (name: string, form = '') => ({
  import: { types: `./dist/${name}.d.mts`, default: `./dist/${name}${form}.mjs` },
  require: { types: `./dist/${name}.d.ts`, default: `./dist/${name}${form}.js` },
});

/** The same for entries that make a client; pages get another form of them. */
const refusedInBrowsers = (name: string) => ({
  workerd: faces(name),
  browser: faces(name, '.browser'),
  ...faces(name),
});

/**
 * The published `package.json`: the built files in place of the sources. Publish the tarball, not
 * the folder: npm reads a folder's manifest again after it has been restored.
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
    // For resolution without `exports`.
    typesVersions: {
      '*': Object.fromEntries(
        ['ai', 'openai', 'testing', 'web'].map((name) => [name, [`./dist/${name}.d.ts`]]),
      ),
    },
    exports: {
      // A worker of Cloudflare is a server, but its bundler also uses the `browser` condition.
      '.': refusedInBrowsers('index'),
      './ai': refusedInBrowsers('ai'),
      './openai': refusedInBrowsers('openai'),
      './testing': faces('testing'),
      './web': faces('web'),
      './package.json': './package.json',
    },
    sideEffects: false,
  };
  return `${JSON.stringify(published, null, 2)}\n`;
}
