import { dirname, join } from 'node:path/posix';
import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { isNode, type Source, type SyntaxNode } from './source.ts';

/** A folder of the server, or all sources of another package: its folders have an order. */
const room = /^packages\/(?:server\/src\/[^/]+|(?:console|lab|sdk|simulator)\/src)(?=\/)/;

interface Import {
  readonly from: string;
  readonly to: string;
  readonly line: number;
}

/** Two folders of a room that import each other: neither can be read or moved without the other. */
export function findFolderPairs(project: Project): readonly Finding[] {
  const byRoom = new Map<string, Import[]>();
  for (const source of project.sources) {
    const [roomFolder] = room.exec(source.path) ?? [];
    if (roomFolder === undefined) continue;
    const inRoom = importsOf(source).filter(({ to }) => to.startsWith(`${roomFolder}/`));
    byRoom.set(roomFolder, [...(byRoom.get(roomFolder) ?? []), ...inRoom]);
  }
  return [...byRoom.values()].flatMap(pairsOf);
}

function pairsOf(imports: readonly Import[]): readonly Finding[] {
  const first = new Map<string, Import>();
  for (const one of imports) {
    const [from, to] = [dirname(one.from), dirname(one.to)];
    const key = `${from} ${to}`;
    if (from !== to && !first.has(key)) first.set(key, one);
  }
  return [...first].flatMap(([key, there]) => {
    const [from = '', to = ''] = key.split(' ');
    const back = from < to ? first.get(`${to} ${from}`) : undefined;
    return back === undefined ? [] : [findingOf(there, back)];
  });
}

function findingOf(there: Import, back: Import): Finding {
  const cure =
    `${dirname(there.from)} and ${dirname(there.to)} import each other ` +
    `(${there.from} imports ${there.to}, and ${back.from} imports ${back.to}): ` +
    'move what both need to a folder that imports neither, or pass it in';
  return { path: there.from, line: there.line, rule: 'folder-pairs', cure };
}

function importsOf(source: Source): readonly Import[] {
  return source.nodes.flatMap(({ node }) => {
    const name = moduleOf(node);
    if (name?.startsWith('.') !== true) return [];
    const to = join(dirname(source.path), name);
    return [{ from: source.path, to, line: source.lineOf(node.start) }];
  });
}

/** The module that an import, a re-export, a dynamic import or an imported type names. */
function moduleOf(node: SyntaxNode): string | undefined {
  const isImport = /^(?:(?:Import|Export)\w*(?:Declaration|Expression)|TSImportType)$/;
  if (!isImport.test(node.type)) return undefined;
  const value = isNode(node.source) ? node.source.value : undefined;
  return typeof value === 'string' ? value : undefined;
}
