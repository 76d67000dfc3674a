import { parseSync } from 'rolldown/utils';

/** A file of the repository; its path is from the root, with `/`. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** A node of the syntax tree, as the ESTree and TS-ESTree specifications name it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A comment, without its marks. */
export interface SourceComment {
  readonly text: string;
  readonly isBlock: boolean;
  readonly line: number;
  readonly end: number;
}

/** A parsed file. */
export interface Source extends TextFile {
  /** Every node, a parent before its children. */
  readonly nodes: readonly PositionedNode[];
  readonly comments: readonly SourceComment[];
  /** The parser's error. */
  readonly syntaxError: string | undefined;
  lineOf(offset: number): number;
}

/** A node and its parent. */
export interface PositionedNode {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode | undefined;
}

/** Parses TypeScript or JavaScript with the parser that the tests' own transform uses. */
export function parseSource({ path, text }: TextFile): Source {
  const parsed = parseSync(path, text, {
    sourceType: path.endsWith('.cjs') ? 'commonjs' : 'module',
  });
  const lineOf = createLineOf(text);
  const nodes: PositionedNode[] = [];
  collect(parsed.program, undefined, nodes);
  return {
    path,
    text,
    nodes,
    comments: parsed.comments.map((comment) => ({
      text: comment.value,
      isBlock: comment.type === 'Block',
      line: lineOf(comment.start),
      end: comment.end,
    })),
    syntaxError: parsed.errors[0]?.message,
    lineOf,
  };
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The name of an identifier node; undefined for every other node. */
export function nameOf(value: unknown): string | undefined {
  if (!isNode(value) || value.type !== 'Identifier') return undefined;
  return typeof value.name === 'string' ? value.name : undefined;
}

function collect(value: unknown, parent: SyntaxNode | undefined, nodes: PositionedNode[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, parent, nodes);
  } else if (isNode(value)) {
    nodes.push({ node: value, parent });
    for (const child of Object.values(value)) {
      if (typeof child === 'object' && child !== null) collect(child, value, nodes);
    }
  }
}

/** Offsets of the parser count UTF-16 units, as strings do. */
function createLineOf(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
