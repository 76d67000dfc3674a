import { fileURLToPath } from 'node:url';
import type { InputOptions } from 'rolldown';
import { iconPlugin } from './icon-plugin.ts';

export const folder = new URL('../', import.meta.url);

/** In order: a later style sheet may extend an earlier one. */
export const styleSheets = [
  ...['tokens', 'base', 'controls', 'layout', 'figures', 'lists', 'overlays', 'states'],
  ...['tables', 'charts', 'shell'],
].map((name) => `src/styles/${name}.css`);

export const inputOptions: InputOptions = {
  cwd: fileURLToPath(folder),
  platform: 'browser',
  plugins: [iconPlugin],
  transform: {
    target: 'es2024',
    jsx: { runtime: 'automatic', importSource: 'preact', development: false },
    define: { 'process.env.NODE_ENV': '"production"' },
  },
  tsconfig: false,
};
