import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Ended, endOf } from '../../../../harness/process.ts';
import { npm } from './pack.ts';

const folder = fileURLToPath(new URL('../bundlers', import.meta.url));
const installed = join(folder, 'node_modules');

/** Installs the bundlers from npm once, about 75 MB; Rolldown and Vite are here for vitest. */
export async function installBundlers(): Promise<void> {
  const names = ['@rollup/plugin-commonjs', '@rollup/wasm-node', '@vercel/ncc', 'esbuild'];
  if ([...names, 'webpack'].every((name) => existsSync(join(installed, name)))) return;
  await npm(folder, ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
}

/** One way to bundle a program into one file. */
export interface Bundler {
  readonly name: string;
  /** Bundles `entry`, a file in the project's folder; returns the command's result. */
  bundle(project: string, entry: string): Promise<Ended>;
  /** The output file for `entry`, within the project's folder. */
  output(entry: string): string;
}

/** The bundlers for Node programs, with the settings of their manuals. */
export const serverBundlers: readonly Bundler[] = [
  esbuild('esm', ['--platform=node']),
  esbuild('cjs', ['--platform=node']),
  {
    name: 'Rollup with its plugins for Node',
    output: () => 'out-rollup.mjs',
    async bundle(project, entry) {
      const plugins = ['@rollup/plugin-node-resolve', '@rollup/plugin-commonjs'];
      const [resolve, commonjs] = plugins.map((name) => JSON.stringify(join(installed, name)));
      const config = await configure(project, 'rollup.config.cjs', [
        `const { nodeResolve } = require(${resolve});`,
        `const commonjs = require(${commonjs});`,
        `const options = { exportConditions: ['node'], preferBuiltins: true };`,
        'const plugins = [nodeResolve(options), commonjs()];',
        "const output = { file: 'out-rollup.mjs', format: 'es' };",
        `module.exports = { input: '${entry}', external: /^node:/, plugins, output };`,
      ]);
      const cli = join(installed, '@rollup/wasm-node/dist/bin/rollup');
      return run(project, cli, ['-c', config, '--silent']);
    },
  },
  rolldown('node'),
  webpack('node18'),
  {
    name: 'Vite for a server, with noExternal',
    output: (entry) => `out-vite/${entry}`,
    async bundle(project, entry) {
      await configure(project, 'vite.config.mjs', [
        "const build = { outDir: 'out-vite' };",
        'export default { build, ssr: { noExternal: true }, logLevel: "warn" };',
      ]);
      return run(project, binOf('vite', 'bin/vite.js'), ['build', '--ssr', entry]);
    },
  },
  {
    name: 'ncc',
    output: () => 'out-ncc/index.mjs',
    bundle: (project, entry) =>
      run(project, join(installed, '@vercel/ncc/dist/ncc/cli.js'), [
        ...['build', entry, '--out', 'out-ncc', '--quiet'],
      ]),
  },
];

/** The bundlers for pages, with default settings. */
export const pageBundlers: readonly Bundler[] = [
  esbuild('esm', []),
  rolldown('browser'),
  webpack('web'),
  {
    name: 'Vite for a page',
    output: () => 'out-page/page.mjs',
    async bundle(project, entry) {
      await configure(project, 'vite.config.mjs', [
        "const output = { entryFileNames: 'page.mjs' };",
        `const rolldownOptions = { input: '${entry}', output };`,
        'const build = { outDir: "out-page", modulePreload: false, rolldownOptions };',
        'export default { build, logLevel: "warn" };',
      ]);
      return run(project, binOf('vite', 'bin/vite.js'), ['build']);
    },
  },
];

function esbuild(format: 'esm' | 'cjs', platform: readonly string[]): Bundler {
  const output = `out-esbuild.${format === 'esm' ? 'mjs' : 'cjs'}`;
  const options = ['--bundle', ...platform, `--format=${format}`];
  return {
    name: ['esbuild', ...options].join(' '),
    output: () => output,
    bundle: (project, entry) =>
      run(project, join(installed, 'esbuild/bin/esbuild'), [
        ...[entry, ...options, `--outfile=${output}`, '--log-level=warning'],
      ]),
  };
}

function rolldown(platform: 'node' | 'browser'): Bundler {
  return {
    name: `Rolldown --platform ${platform}`,
    output: () => 'out-rolldown.mjs',
    bundle: (project, entry) =>
      run(project, binOf('rolldown', 'bin/cli.mjs'), [
        ...[entry, '--platform', platform, '--format', 'esm', '--file', 'out-rolldown.mjs'],
      ]),
  };
}

function webpack(target: string): Bundler {
  return {
    name: `webpack, target ${target}`,
    output: () => 'out-webpack/main.mjs',
    async bundle(project, entry) {
      const program = await configure(project, 'webpack.cjs', [
        `const webpack = require(${JSON.stringify(join(installed, 'webpack'))});`,
        "const path = __dirname + '/out-webpack';",
        "const output = { path, filename: 'main.mjs', module: true };",
        `const more = { target: '${target}', mode: 'production', output };`,
        'const experiments = { outputModule: true };',
        `const options = { entry: './${entry}', context: __dirname, experiments, ...more };`,
        'webpack(options, (error, stats) => {',
        '  if (error === null && !stats.hasErrors() && !stats.hasWarnings()) return;',
        '  throw error ?? new Error(stats.toString());',
        '});',
      ]);
      return run(project, program, []);
    },
  };
}

function run(cwd: string, program: string, values: readonly string[]): Promise<Ended> {
  return endOf(process.execPath, [program, ...values], { cwd });
}

async function configure(project: string, name: string, lines: readonly string[]) {
  const path = join(project, name);
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

function binOf(name: string, path: string): string {
  const require = createRequire(import.meta.url);
  return join(dirname(require.resolve(`${name}/package.json`)), path);
}
