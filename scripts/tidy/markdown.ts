import { dirname, join } from 'node:path/posix';
import { anchorsOf, linksIn, proseLines } from '../markdown/links.ts';
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
  // Files for agents only refer to another file, and a changeset becomes a line of a changelog.
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

/** Instructions for agents are in AGENTS.md, once. */
function findPointer({ path, text }: TextFile, project: Project): readonly Finding[] {
  if (!path.endsWith('CLAUDE.md') || text.trim() === '@AGENTS.md') return [];
  const agents = join(dirname(path), 'AGENTS.md');
  const cure = `write only "@AGENTS.md"${project.exists(agents) ? '' : `, and ${agents}`}`;
  return [{ path, line: 1, rule: 'markdown', cure }];
}
