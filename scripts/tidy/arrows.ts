import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { isTest } from './sizes.ts';
import type { Source, SourceImport } from './source.ts';

/** Which part of the server may use which. What a part may use, its users may use as well. */
const uses: Readonly<Record<string, readonly string[]>> = {
  main: ['cli'],
  cli: ['compose', 'admin', '@model-gateway/lab'],
  compose: ['ingress', 'admin', 'config', 'observe'],
  observe: ['ledger', 'registry', 'platforms'],
  ingress: ['calls', 'registry', 'ledger', 'json-schema'],
  calls: ['platforms', 'ledger', 'json-schema', 'registry'],
  admin: ['registry', 'catalog', 'ledger', 'platforms', 'store'],
  platforms: ['catalog'],
  ledger: ['store', 'registry'],
  registry: ['store'],
  store: ['books'],
};

/** What every part of the server may use. */
const forAll = ['domain', 'lib', 'version', '@model-gateway/contract'];

const server = 'packages/server/src/';

/** Imports against the direction of the design, and imports that a package must not have. */
export function findArrows({ sources }: Project): readonly Finding[] {
  return sources
    .filter((source) => /^packages\/[^/]+\/src\//.test(source.path) && !isTest(source.path))
    .flatMap((source) =>
      source.imports.flatMap((entry) => {
        const cure = cureOf(source, entry);
        if (cure === undefined) return [];
        return [{ path: source.path, line: entry.line, rule: 'arrows', cure }];
      }),
    );
}

function cureOf(source: Source, entry: SourceImport): string | undefined {
  const folder = packageOf(source.path);
  if (entry.path !== undefined && packageOf(entry.path) !== folder) {
    return `import ${entry.from} by the name of its package`;
  }
  if (source.path.startsWith(server)) return cureOfServer(source.path, entry);
  if (entry.path !== undefined) return undefined;
  const isContract = entry.from === '@model-gateway/contract';
  if (
    folder === 'packages/sdk' &&
    !entry.from.startsWith('node:') &&
    !(isContract && entry.isType)
  ) {
    return 'the client has no dependency but the types of contract';
  }
  if (folder === 'packages/contract') return 'contract depends on nothing';
  const isOurs = entry.from.startsWith('@model-gateway/');
  if (folder === 'packages/simulator' && isOurs) return 'the simulator knows the wire alone';
  return undefined;
}

function cureOfServer(path: string, entry: SourceImport): string | undefined {
  const isOurs = entry.from.startsWith('@model-gateway/');
  if (entry.path === undefined && !isOurs) return undefined;
  const from = partOf(path);
  const target = entry.path === undefined ? packageNameOf(entry.from) : partOf(entry.path);
  const isBelow = from === 'lib' && target === 'domain';
  if (from === target || (forAll.includes(target) && !isBelow)) return undefined;
  const reach = reachOf(from);
  if (reach.has(target)) return undefined;
  return `${from} may not use ${target}; it may use ${[...reach, ...forAll].toSorted().join(', ')}`;
}

function packageNameOf(from: string): string {
  return from.split('/').slice(0, 2).join('/');
}

function packageOf(path: string): string {
  return path.split('/').slice(0, 2).join('/');
}

/** A file's top folder. */
function partOf(path: string): string {
  const [top = ''] = path.slice(server.length).split('/');
  return top.replace(/\.ts$/, '');
}

function reachOf(part: string): ReadonlySet<string> {
  const reach = new Set<string>();
  const open = [part];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const used of uses[next] ?? []) {
      if (reach.has(used)) continue;
      reach.add(used);
      open.push(used);
    }
  }
  return reach;
}
