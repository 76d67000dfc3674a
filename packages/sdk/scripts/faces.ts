import { basename } from 'node:path';
import type { ExportedName } from './declarations.ts';

/** Functions that make a client; browsers reject them. */
const factories: readonly string[] = ['createClient', 'createModelGateway', 'createOpenAiSettings'];
/** The classes, which all forms import from one file of CommonJS. */
const classes: readonly string[] = ['LlmError', 'ToolError'];

/**
 * The browser forms of an entry. Functions that make a client are replaced. All other exports come
 * from their own `modules`, since the entry itself needs Node.
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
