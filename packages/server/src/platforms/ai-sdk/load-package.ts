import { readFileSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fieldOf, isRecord, parseJson } from '../../lib/json-value.ts';
import { codeOf } from '../http/transport.ts';

export type LoadedPackage =
  | { readonly exports: object; readonly version: string }
  | { readonly problem: string };

/** Resolves like a program in each folder, in order; the server's own packages come last. */
export function loadPackage(name: string, folders: readonly string[]): LoadedPackage {
  const path = find(name, folders);
  if (path === undefined) {
    const searchedFolders = [...new Set(folders)].map((folder) => ` in ${folder}`).join(' or');
    return {
      problem: `the package ${name} was not found${searchedFolders}; run "npm install ${name}"`,
    };
  }
  try {
    const manifest = parseJson(readFileSync(path, 'utf8'))?.value;
    const exports: unknown = createRequire(path)(join(dirname(path), entryOf(manifest)));
    const version = String(fieldOf(manifest, 'version') ?? '');
    if (typeof exports === 'object' && exports !== null) return { exports, version };
    return { problem: `the package ${name} exports nothing by name` };
  } catch (error) {
    const why = codeOf(error) ?? (error instanceof Error ? error.message : String(error));
    return { problem: `the package ${name} cannot be loaded: ${firstLine(why)}` };
  }
}

function find(name: string, folders: readonly string[]): string | undefined {
  const bases = folders.map((folder) => pathToFileURL(join(folder, 'package.json')).href);
  for (const base of [...bases, import.meta.url]) {
    try {
      const path = findPackageJSON(name, base);
      if (path !== undefined) return path;
    } catch {
      /* not here; the next folder may have it */
    }
  }
  return undefined;
}

function entryOf(manifest: unknown): string {
  const { exports, main } = isRecord(manifest) ? manifest : {};
  const whole = isRecord(exports) && '.' in exports ? exports['.'] : exports;
  return targetOf(whole) ?? (typeof main === 'string' ? main : 'index.js');
}

/** The first matching condition, in the package's order. */
function targetOf(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (!isRecord(target)) return undefined;
  for (const condition in target) {
    if (!['node', 'import', 'module-sync', 'default'].includes(condition)) continue;
    const match = targetOf(target[condition]);
    if (match !== undefined) return match;
  }
  return undefined;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}
