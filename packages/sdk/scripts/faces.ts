import { basename } from 'node:path';
import type { ExportedName } from './declarations.ts';

/** What makes a client, and is refused in browsers. */
const factories: readonly string[] = ['createClient', 'createModelGateway', 'createOpenAiSettings'];
/** The classes, which all forms have from one file of CommonJS. */
const classes: readonly string[] = ['LlmError', 'ToolError'];

/**
 * The forms of an entry for browsers: what makes a client is another there, and all else comes from
 * its own module, since the entry itself needs what Node alone has. `modules` are these modules.
 */
export function browserFaces(values: readonly ExportedName[]) {
  const parts = values.map(({ name, from }) => {
    const module = from.replace(/^\.\/|\.(ts|js)$/g, '');
    if (factories.includes(name)) return { name, file: './browser.js', esm: './browser.js' };
    if (classes.includes(name)) return { name, file: './llm-error.js', esm: './llm-error.js' };
    const file = `./${basename(module)}`;
    return { name, module, file: `${file}.js`, esm: `${file}.mjs` };
  });
  const cjs = parts.map(({ name, file }) => `exports.${name} = require('${file}').${name};\n`);
  const esm = parts.map(({ name, esm: file }) => `export { ${name} } from '${file}';\n`);
  const modules = parts.flatMap(({ module }) => module ?? []);
  return { cjs: `'use strict';\n${cjs.join('')}`, esm: esm.join(''), modules };
}
