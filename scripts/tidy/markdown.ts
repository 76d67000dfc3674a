import { dirname, join } from 'node:path/posix';
import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import type { TextFile } from './source.ts';

/** Documents without one title, and paths in them that lead nowhere. */
export function findMarkdown(project: Project): readonly Finding[] {
  return project.files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap((file) => [
      ...findTitles(file),
      ...findPaths(file, project),
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
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  const codes = [...prose.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
  return [
    ...links.filter((link) => !/^([a-z]+:|#|<)/i.test(link)).map((link) => join(folder, link)),
    ...codes.filter((code) => topFolder.test(code)),
    ...codes
      .filter((code) => /^(\.\.?|src|test|bin)\/[\w./-]+$/.test(code))
      .map((code) => join(folder, code)),
  ]
    .map((named) => named.replace(/[#?].*$|(:\d+)+$/g, ''))
    .filter((named) => /^[\w./@-]+$/.test(named) && !named.startsWith('..'));
}

/** Instructions for agents are in AGENTS.md, once. */
function findPointer({ path, text }: TextFile, project: Project): readonly Finding[] {
  if (!path.endsWith('CLAUDE.md') || text.trim() === '@AGENTS.md') return [];
  const agents = join(dirname(path), 'AGENTS.md');
  const cure = `write "@AGENTS.md" alone${project.exists(agents) ? '' : `, and ${agents}`}`;
  return [{ path, line: 1, rule: 'markdown', cure }];
}
