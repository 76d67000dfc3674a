import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const rootFolder = fileURLToPath(new URL('../..', import.meta.url));

export function readRepositoryFile(path: string): string {
  return readFileSync(`${rootFolder}${path}`, 'utf8');
}

/** The code blocks of one language, without their fences. */
export function codeBlocks(markdown: string, language: string): readonly string[] {
  const blocks = markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms);
  return [...blocks].flatMap(([, blockLanguage, text]) =>
    blockLanguage === language && text !== undefined ? [text] : [],
  );
}

/** The rows of every table, cell by cell, below the rows of dashes. */
export function tableRows(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n');
  return lines.flatMap((line, index) => {
    const isHead = /^\|[ :|-]+\|$/.test(lines[index + 1] ?? '');
    if (!line.startsWith('| ') || isHead) return [];
    const cells = line.slice(1, -1).split('|');
    return [cells.map((cell) => cell.trim())];
  });
}

/** The text below a heading, up to the next one. */
export function sectionOf(markdown: string, heading: string): string {
  const start = markdown.indexOf(`\n## ${heading}\n`);
  if (start === -1) throw new Error(`there is no section "${heading}"`);
  const end = markdown.indexOf('\n## ', start + 1);
  return markdown.slice(start, end === -1 ? undefined : end);
}

/** A table's cell of code, without its quotes. */
export function withoutQuotes(cell: string | undefined): string {
  return (cell ?? '').replaceAll('`', '');
}
