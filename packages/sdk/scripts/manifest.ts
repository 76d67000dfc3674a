/** An entry for `import` and `require`; `form` is what stands in its files' names beside it. */
const faces = (name: string, form = '') => ({
  import: { types: `./dist/${name}.d.mts`, default: `./dist/${name}${form}.mjs` },
  require: { types: `./dist/${name}.d.ts`, default: `./dist/${name}${form}.js` },
});

/** The same for what makes a client, which pages have another form of. */
const refusedInBrowsers = (name: string) => ({
  workerd: faces(name),
  browser: faces(name, '.browser'),
  ...faces(name),
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
    typesVersions: {
      '*': Object.fromEntries(
        ['ai', 'openai', 'testing', 'web'].map((name) => [name, [`./dist/${name}.d.ts`]]),
      ),
    },
    exports: {
      // A worker of Cloudflare is a server, and its bundler asks for what is for browsers as well.
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
