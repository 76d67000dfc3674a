import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { isTest } from './sizes.ts';
import type { Source } from './source.ts';

/** Exports of a package that no sentence introduces. One sentence may introduce a group. */
export function findUndocumented({ sources }: Project): readonly Finding[] {
  const libraries = sources.filter(
    ({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path),
  );
  return libraries.flatMap(undocumentedOf);
}

function undocumentedOf(source: Source): readonly Finding[] {
  const commentEnds = source.comments.filter((comment) => comment.isBlock).map(({ end }) => end);
  let documentedEnd = -1;
  return source.nodes.flatMap(({ node }) => {
    if (node.type !== 'ExportNamedDeclaration' || node.declaration === null) return [];
    const isIntroduced =
      commentEnds.some((end) => end < node.start && isBlank(source.text.slice(end, node.start))) ||
      (documentedEnd >= 0 && isNextLine(source.text.slice(documentedEnd, node.start))) ||
      // A statement's name and its SQL say what it does.
      source.path.endsWith('statements.ts');
    if (isIntroduced) documentedEnd = node.end;
    if (isIntroduced) return [];
    const cure = 'write one sentence above it, for its users';
    return [{ path: source.path, line: source.lineOf(node.start), rule: 'undocumented', cure }];
  });
}

function isBlank(text: string): boolean {
  return text.trim() === '' && !/\n\s*\n/.test(text);
}

/** Declarations that follow each other without an empty line are a group. */
function isNextLine(text: string): boolean {
  return /^;?\n$/.test(text);
}
