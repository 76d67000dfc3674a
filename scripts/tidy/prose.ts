import { proseLines } from '../markdown/links.ts';
import type { Project } from './project.ts';
import { isTest } from './sizes.ts';
import type { Source, SyntaxNode, TextFile } from './source.ts';

/** A text that people read: a paragraph, a list item or a table cell, or a string literal. */
export interface Passage {
  readonly path: string;
  readonly line: number;
  /** Without code and addresses. */
  readonly text: string;
}

/** Documents of their time, which stay unchanged. */
const history = /CHANGELOG\.md$|^\.changeset\/|^CODE_OF_CONDUCT\.md$/;

const code = /^(?:packages\/[^/]+\/src|scripts|benchmarks|checks)\//;

/** Every passage of the documents, and of the sources that print, log or show texts. */
export function readPassages({ files, sources }: Project): readonly Passage[] {
  const documents = files.filter(({ path }) => isDocument(path));
  const printing = sources.filter(({ path }) => code.test(path) && !isTest(path));
  return [...documents.flatMap(inDocument), ...printing.flatMap(inSource)];
}

/** The comments of the sources, item by item. Consecutive lines with only `//` are one comment. */
export function readComments({ sources }: Project): readonly Passage[] {
  return sources.flatMap(inComments);
}

function inComments({ path, text, comments }: Source): readonly Passage[] {
  const lines = text.split('\n');
  const passages: { path: string; line: number; text: string }[] = [];
  let nextLine = -1;
  for (const comment of comments) {
    const prose = withoutCode(comment.text.replaceAll(/^[ \t]*\**[ \t]*/gm, ''));
    for (const [at, each] of prose.split('\n').entries()) {
      const line = comment.line + at;
      const before = passages.at(-1);
      if (before !== undefined && line === nextLine && !/^(?:- |@)/.test(each)) {
        before.text += `\n${each}`;
      } else passages.push({ path, line, text: each });
      nextLine = line + 1;
    }
    const isOwnLine = lines[comment.line - 1]?.trimStart().startsWith('//') === true;
    if (comment.isBlock || !isOwnLine) nextLine = -1;
  }
  return passages;
}

/** Whether a path belongs to a maintained document. */
export function isDocument(path: string): boolean {
  return /\.md$/.test(path) && !history.test(path);
}

/** The line of a position in a passage. */
export function lineIn({ line, text }: Passage, index: number): number {
  return line + text.slice(0, index).split('\n').length - 1;
}

/** A line that ends the passage before it: a list item, a heading, a quotation or a table row. */
const opening = /^\s*(?:[-*+]\s|\d+\.\s|#{1,6}\s|>|\|)/;

export function inDocument({ path, text }: TextFile): readonly Passage[] {
  const blocks: { line: number; lines: string[] }[] = [];
  for (const { prose, line } of proseLines(withoutGenerated(text))) {
    const block = blocks.at(-1);
    const isNext = block !== undefined && line === block.line + block.lines.length;
    if (isNext && block.lines.at(-1)?.trim() !== '' && !opening.test(prose))
      block.lines.push(prose);
    else blocks.push({ line, lines: [prose] });
  }
  return blocks.flatMap(({ line, lines }) => {
    const block = withoutCode(lines.join('\n'));
    const cells = /^\s*\|/.test(block) ? block.split(/(?<!\\)\|/) : [block];
    return cells.map((cell) => ({ path, line, text: cell }));
  });
}

/** The words of a generated table are counted where they are written. */
export function withoutGenerated(text: string): string {
  const table = /<!-- (?:commands: [a-z ]+|roles|metrics|errors: [a-z]+) -->[\s\S]*?<!-- end -->/g;
  return text.replaceAll(table, (whole) => whole.replaceAll(/[^\n]/g, ''));
}

function inSource({ path, nodes, lineOf }: Source): readonly Passage[] {
  return nodes.flatMap(({ node }) => {
    const text = textOf(node);
    if (!isProse(text)) return [];
    return [{ path, line: lineOf(node.start), text: withoutCode(text) }];
  });
}

/** With an ellipsis for each value of a template. */
function textOf({ type, value, quasis }: SyntaxNode): string {
  if (type === 'TemplateLiteral' && Array.isArray(quasis)) {
    return quasis.map((each) => Object(Object(each).value).cooked ?? '').join('…');
  }
  const isText = type === 'Literal' || type === 'JSXText';
  return isText && typeof value === 'string' ? value : '';
}

/**
 * One word is a name, a value or a path. Lines without a full stop at the end are SQL, YAML or
 * markup.
 */
function isProse(text: string): boolean {
  if (!/\S\s+\S/.test(text)) return false;
  return !/\n\s*\S/.test(text) || /[.!?]\s*$/.test(text);
}

/** Code counts as one word, and the address of a link as none. */
function withoutCode(text: string): string {
  return text.replaceAll(/\]\([^)]*\)/g, ']').replaceAll(/`[^`]*`/g, '`');
}
