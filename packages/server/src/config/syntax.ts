import type { Document, LineCounter, YAMLError } from 'yaml';

interface Fault {
  readonly at: number;
  readonly sentence: string;
}

/**
 * One line per faulty line, without quotes of the file, because these might be secrets. Drops
 * errors that only follow from earlier ones.
 */
export function syntaxProblems(
  text: string,
  { errors, warnings }: Document,
  lines: LineCounter,
): readonly string[] {
  const all = [...errors, ...warnings];
  const end = all.findIndex(({ code }) => ends.has(code));
  const first = end === -1 ? all : all.slice(0, end + 1);
  const sentences = new Map<number, string>();
  for (const error of first.slice(0, errorsMax)) {
    const { at, sentence } = faultOf(text, error, all);
    const { line, col } = lines.linePos(at);
    if (!sentences.has(line)) sentences.set(line, `line ${line}, column ${col}: ${sentence}`);
  }
  return [...sentences.values()];
}

const errorsMax = 20;

const ends: ReadonlySet<string> = new Set(['UNEXPECTED_TOKEN', 'MULTILINE_IMPLICIT_KEY']);

function faultOf(text: string, error: YAMLError, all: readonly YAMLError[]): Fault {
  const [at] = error.pos;
  if (error.code === 'BAD_INDENT' || error.message.startsWith('Missing closing')) {
    const open = openAt(text, at);
    if (open !== undefined) return { at: open, sentence: unclosed(text, open, at) };
  }
  return { at, sentence: sentenceOf(error, all, isVariableAt(text, at)) };
}

function unclosed(text: string, open: number, at: number): string {
  const opener = text.charAt(open);
  const closer = { '{': '}', '[': ']' }[opener] ?? opener;
  // The next line begins after the opener's content.
  const line = text.slice(0, at).trimEnd().split('\n').length;
  const position =
    opener === closer ? 'where it ends' : `at the end of line ${line}, or where it ends`;
  return `the ${opener} here is not closed; add ${closer} ${position}`;
}

function sentenceOf(
  { code, message }: YAMLError,
  all: readonly YAMLError[],
  isVariable: boolean,
): string {
  if (isVariable) return `a variable between braces or brackets needs quotes; write "\${NAME}"`;
  const isDeeper = all.some((error) => error.code === 'MULTILINE_IMPLICIT_KEY');
  switch (code) {
    case 'MULTIPLE_DOCS':
      return 'a second YAML document starts here; remove the line "---"';
    case 'MULTILINE_IMPLICIT_KEY':
      return colonMissing;
    case 'BLOCK_AS_IMPLICIT_KEY':
      return isDeeper
        ? 'the next line is indented deeper although this key has a value; start both in the same column'
        : 'a value with ": " in it needs quotes; put "…" around it';
    case 'TAB_AS_INDENT':
      return 'a tab cannot indent a line; use spaces';
    case 'BAD_SCALAR_START':
      return 'a value that starts with this character needs quotes; put "…" around it';
    case 'UNEXPECTED_TOKEN':
      return 'this line has an extra character, or lacks quotes or a comma before this column';
    default:
      if (message.startsWith('Implicit map keys')) return colonMissing;
      if (message.startsWith('Sequence item without'))
        return 'this line is not indented like the list above; start it in the column of the other keys, or with "- "';
      if (message.startsWith('All mapping items'))
        return 'this key starts in a different column than the keys above; start it in the same column';
      // After a colon the library quotes the file.
      return message.replace(/: .*$/s, '');
  }
}

const colonMissing = 'a colon is missing after the key; write it as "key: value"';

function isVariableAt(text: string, at: number): boolean {
  return text.slice(Math.max(0, at - 1), at + 1).includes('${');
}

export function isInBrackets(text: string, at: number): boolean {
  const open = openAt(text, at);
  return open !== undefined && /[[{]/.test(text.charAt(open));
}

function openAt(text: string, end: number): number | undefined {
  const open: number[] = [];
  let before = '\n';
  for (let at = 0; at < end; at++) {
    const character = text.charAt(at);
    const isStart = /[\s,:[{-]/.test(before);
    if (character === '#' && /\s/.test(before)) {
      at = lineEnd(text, at);
    } else if (isStart && (character === '"' || character === "'")) {
      const close = closing(text, at);
      if (close === undefined || close >= end) return at;
      at = close;
    } else if (/[[{]/.test(character) && (open.length > 0 || isStart)) open.push(at);
    else if (/[\]}]/.test(character)) open.pop();
    before = text.charAt(at);
  }
  return open.at(-1);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

function closing(text: string, start: number): number | undefined {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at++) {
    if (quote === '"' && text.charAt(at) === '\\') at++;
    else if (text.charAt(at) === quote) {
      if (quote === '"' || text.charAt(at + 1) !== quote) return at;
      at++;
    }
  }
  return undefined;
}
