import { readFileSync } from 'node:fs';
import { transformSync } from 'rolldown/utils';
import type { ExportedName } from './declarations.ts';

/**
 * The modules that use what Node alone has. They are built twice: bundlers cannot turn a `require`
 * of it into an `import`, so an ESM bundle with one would fail when it is loaded.
 */
const builtTwice = ['create-client', 'create-model-gateway', 'runtime-system'];

/** What the modules that are built twice import, and they themselves. */
export const modulesOfEsm = ['create-client', 'create-model-gateway', 'client', 'ai/provider'];

/** The ESM forms of the modules that are built twice, by their file names. */
export function esmModules(sources: string): ReadonlyMap<string, string> {
  return new Map(
    builtTwice.map((name) => {
      const path = `${sources}/${name}.ts`;
      const { code, errors } = transformSync(path, readFileSync(path, 'utf8'));
      const [error] = errors;
      if (error !== undefined) throw new Error(`${path}: ${error.message}`);
      return [`${name}.mjs`, code.replace(/(from ["']\.\/[\w/-]+)\.ts(["'])/g, toBuilt)];
    }),
  );
}

function toBuilt(_text: string, start: string, end: string): string {
  return `${start}${fileEnding(start.slice(start.indexOf('./') + 2))}${end}`;
}

/**
 * The ESM face of an entry: it passes every value on from the module that makes it, so that a
 * bundle has only what it uses.
 */
export function esmFace(values: readonly ExportedName[]): string {
  const lines = values.map(({ name, from }) => {
    const path = from.replace(/\.(ts|js)$/, '');
    return `export { ${name} } from '${path}${fileEnding(path.slice(2))}';\n`;
  });
  return lines.join('');
}

function fileEnding(module: string): '.mjs' | '.js' {
  return builtTwice.includes(module) ? '.mjs' : '.js';
}

/** What makes a client, and is refused in browsers. */
const makers: readonly string[] = ['createClient', 'createModelGateway'];

/** The CommonJS form of an entry for browsers, and its ESM face. */
export function browserFaces(values: readonly ExportedName[]): { cjs: string; esm: string } {
  const refused = values.map((value) =>
    makers.includes(value.name) ? { ...value, from: './browser.js' } : value,
  );
  const lines = refused.map(
    ({ name, from }) => `exports.${name} = require('${from.replace(/\.ts$/, '.js')}').${name};\n`,
  );
  return { cjs: `'use strict';\n${lines.join('')}`, esm: esmFace(refused) };
}
