import { dirname, join } from 'node:path/posix';
import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import type { TextFile } from './source.ts';

/** Documents without one title, and paths and anchors in them that lead nowhere. */
export function findMarkdown(project: Project): readonly Finding[] {
  return project.files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap((file) => [
      ...findTitles(file),
      ...findPaths(file, project),
      ...findAnchors(file, project),
      ...findPointer(file, project),
    ]);
}

function findTitles({ path, text }: TextFile): readonly Finding[] {
  // What agents read is a pointer, and a changeset becomes a line of a changelog.
  if (path.endsWith('CLAUDE.md') || /^\.changeset\/(?!README)/.test(path)) return [];
  const titles = proseLines(text).filter(({ prose }) => /^# /.test(prose));
  if (titles.length === 1) return [];
  const line = titles[1]?.line ?? 1;
  return [{ path, line, rule: 'markdown', cure: `write one "# title"; it has ${titles.length}` }];
}

function findPaths({ path, text }: TextFile, project: Project): readonly Finding[] {
  return proseLines(text).flatMap(({ prose, line }) =>
    namedPaths(prose, path).flatMap((named) => {
      if (project.exists(named)) return [];
      return [{ path, line, rule: 'markdown', cure: `mend the path ${named}: nothing is there` }];
    }),
  );
}

/** Lines outside of code blocks. */
export function proseLines(text: string): readonly { prose: string; line: number }[] {
  let isFenced = false;
  return text.split('\n').flatMap((prose, index) => {
    const isFence = /^\s*(```|~~~)/.test(prose);
    if (isFence) isFenced = !isFenced;
    return isFence || isFenced ? [] : [{ prose, line: index + 1 }];
  });
}

const topFolder = /^(packages|docs|scripts|examples|benchmarks|checks|\.ci|\.github)\//;

/** Paths of the repository that a line names: links, and code that looks like a path. */
function namedPaths(prose: string, documentPath: string): readonly string[] {
  const folder = dirname(documentPath);
  const links = linksIn(prose).filter((link) => !link.startsWith('#'));
  const codes = [...prose.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
  return [
    ...links.map((link) => join(folder, link)),
    ...codes.filter((code) => topFolder.test(code)),
    ...codes
      .filter((code) => /^(\.\.?|src|test|bin)\/[\w./-]+$/.test(code))
      .map((code) => join(folder, code)),
  ]
    .map((named) => named.replace(/[#?].*$|(:\d+)+$/g, ''))
    .filter((named) => /^[\w./@-]+$/.test(named) && !named.startsWith('..'));
}

function findAnchors({ path, text }: TextFile, project: Project): readonly Finding[] {
  return proseLines(text).flatMap(({ prose, line }) =>
    linksIn(prose).flatMap((link) => {
      const [to = '', anchor] = link.split('#');
      const target = to === '' ? path : join(dirname(path), to);
      const document = target.endsWith('.md') ? project.text(target) : undefined;
      if (document === undefined || anchor === undefined) return [];
      if (anchorsOf(document).has(anchor)) return [];
      const cure = `mend the link ${link}: ${target} has no heading "${anchor}"`;
      return [{ path, line, rule: 'markdown', cure }];
    }),
  );
}

/** The targets of the relative links of a text. */
export function linksIn(text: string): readonly string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return links.filter((link) => !/^([a-z]+:|<)/i.test(link));
}

/** The anchors of a document: of its headings, as GitHub makes them, and those that it names. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map((match) => match[1] ?? ''));
  for (const { prose } of proseLines(text)) {
    const [, heading] = /^#{1,6} (.*)$/.exec(prose) ?? [];
    if (heading === undefined) continue;
    const anchor = anchorOf(heading);
    let number = 1;
    let free = anchor;
    while (anchors.has(free)) free = `${anchor}-${number++}`;
    anchors.add(free);
  }
  return anchors;
}

function anchorOf(heading: string): string {
  const shown = heading.trim().replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return shown
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** Instructions for agents are in AGENTS.md, once. */
function findPointer({ path, text }: TextFile, project: Project): readonly Finding[] {
  if (!path.endsWith('CLAUDE.md') || text.trim() === '@AGENTS.md') return [];
  const agents = join(dirname(path), 'AGENTS.md');
  const cure = `write "@AGENTS.md" alone${project.exists(agents) ? '' : `, and ${agents}`}`;
  return [{ path, line: 1, rule: 'markdown', cure }];
}
