import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { type Measure, withRatchet } from './ratchet.ts';
import type { Source } from './source.ts';

const fileLinesMax = 250;
const testFileLinesMax = 400;
const charactersMax = 100;

/** Files and lines that are too long. */
export function findSizes(project: Project): readonly Finding[] {
  const sources = project.sources;
  return [
    ...withRatchet(project, 'file-lines', sources.map(fileLines)),
    ...withRatchet(project, 'long-lines', sources.flatMap(longLines)),
  ];
}

/** Whether a path belongs to the tests, which may be longer than the tested code. */
export function isTest(path: string): boolean {
  return /(^|\/)test\/|\.test\.ts$/.test(path);
}

function fileLines({ path, text }: Source): Measure {
  const most = isTest(path) ? testFileLinesMax : fileLinesMax;
  const actual = text.split('\n').length - 1;
  const cure = `split this file: it has ${actual} lines, ${most} are allowed`;
  return { key: path, actual, most, finding: { path, line: 1, rule: 'file-lines', cure } };
}

/** The number of too long lines in a file, reported at the first of them. */
function longLines(source: Source): readonly Measure[] {
  const texts = unbreakableRanges(source);
  const long: number[] = [];
  let start = 0;
  for (const [index, text] of source.text.split('\n').entries()) {
    const edge = start + charactersMax;
    const isCut = texts.some((range) => range.start < edge && range.end > edge);
    if (text.length > charactersMax && !isCut) long.push(index + 1);
    start += text.length + 1;
  }
  const [line] = long;
  if (line === undefined) return [];
  const cure = `break ${long.length === 1 ? 'line' : 'lines'} ${long.join(', ')}: ${charactersMax} characters are allowed`;
  const finding = { path: source.path, line, rule: 'long-lines', cure };
  return [{ key: source.path, actual: long.length, most: 0, finding }];
}

/** Sentences, patterns and addresses are easier to read and to search when they are whole. */
function unbreakableRanges(source: Source): readonly { start: number; end: number }[] {
  const literals = source.nodes.flatMap(({ node }) =>
    node.type === 'TemplateLiteral' || node.type === 'Literal' ? [node] : [],
  );
  const addresses = [...source.text.matchAll(/https?:\/\/\S+/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  return [...literals, ...addresses];
}
