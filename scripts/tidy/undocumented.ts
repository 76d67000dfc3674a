import { dirname, join } from 'node:path/posix';
import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { isNode, nameOf, type Source, type SyntaxNode } from './source.ts';

const sdk = 'packages/sdk';

/**
 * Names without a sentence in the editor of the client's users. A sentence may belong to a group.
 */
export function findUndocumented(project: Project): readonly Finding[] {
  const byPath = new Map(project.sources.map((source) => [source.path, source]));
  const contract = project.sources
    .filter(({ path }) => path.startsWith('packages/contract/src/'))
    .flatMap((source) => undocumentedOf(source, 'all'));
  const undocumented = entriesOf(project).flatMap((path) => undocumentedIn(path, 'all', byPath));
  // Several entries export the same name.
  return [
    ...new Map(
      [...contract, ...undocumented].map((one) => [`${one.path} ${one.line}`, one]),
    ).values(),
  ];
}

/** The files that the client's manifest exports. */
function entriesOf(project: Project): readonly string[] {
  const manifest = project.text(`${sdk}/package.json`) ?? '';
  return [...manifest.matchAll(/"\.\/(src\/[\w-]+\.ts)"/g)].map(([, path]) => `${sdk}/${path}`);
}

type Names = ReadonlySet<string> | 'all';

/** The undocumented among names that a file exports, wherever they are declared. */
function undocumentedIn(
  path: string,
  names: Names,
  sources: ReadonlyMap<string, Source>,
): readonly Finding[] {
  const source = sources.get(path);
  if (source === undefined) return [];
  const passedOn = source.nodes.flatMap(({ node }) => {
    const from = isNode(node.source) ? node.source.value : undefined;
    const isExport = /^Export(?:Named|All)Declaration$/.test(node.type);
    if (!isExport || typeof from !== 'string' || !from.startsWith('.')) return [];
    const inner = node.type === 'ExportAllDeclaration' ? names : namesBehind(node, names);
    return undocumentedIn(join(dirname(path), from), inner, sources);
  });
  return [...undocumentedOf(source, names), ...passedOn];
}

/** The names in the other file of a re-export's names. */
function namesBehind({ specifiers }: SyntaxNode, names: Names): ReadonlySet<string> {
  const undocumented = new Set<string>();
  for (const specifier of Array.isArray(specifiers) ? specifiers : []) {
    const inner = nameOf(specifier.local);
    const outer = nameOf(specifier.exported) ?? '';
    if (inner !== undefined && (names === 'all' || names.has(outer))) undocumented.add(inner);
  }
  return undocumented;
}

function undocumentedOf(source: Source, names: Names): readonly Finding[] {
  const commentEnds = source.comments.filter((comment) => comment.isBlock).map(({ end }) => end);
  let documentedEnd = -1;
  return source.nodes.flatMap(({ node }) => {
    if (node.type !== 'ExportNamedDeclaration' || !isNode(node.declaration)) return [];
    const isIntroduced =
      commentEnds.some((end) => end < node.start && isBlank(source.text.slice(end, node.start))) ||
      (documentedEnd >= 0 && isNextLine(source.text.slice(documentedEnd, node.start)));
    if (isIntroduced) documentedEnd = node.end;
    if (isIntroduced || !isAmong(names, node.declaration)) return [];
    const cure = 'write one sentence above it: users of the client see it in their editor';
    return [{ path: source.path, line: source.lineOf(node.start), rule: 'undocumented', cure }];
  });
}

function isAmong(names: Names, { id, declarations }: SyntaxNode): boolean {
  if (names === 'all') return true;
  const declared = Array.isArray(declarations) ? declarations.map((one) => one.id) : [id];
  return declared.some((one) => names.has(nameOf(one) ?? ''));
}

function isBlank(text: string): boolean {
  return text.trim() === '' && !/\n\s*\n/.test(text);
}

/** Declarations that follow each other without an empty line are a group. */
function isNextLine(text: string): boolean {
  return /^;?\n$/.test(text);
}
