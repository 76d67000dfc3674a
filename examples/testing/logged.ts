import { globSync } from 'node:fs';
import {
  isNode,
  nameOf,
  parseSource,
  type Source,
  type SyntaxNode,
} from '../../scripts/tidy/source.ts';
import { readRepositoryFile, rootFolder } from './markdown.ts';

/** A warning or an error of the log, with `…` for each value. */
export interface Logged {
  readonly path: string;
  readonly text: string;
}

/** The warnings and errors in the server's sources. */
export interface LoggedTexts {
  readonly texts: readonly Logged[];
  /** Messages in variables whose texts are made elsewhere, as `path name`. */
  readonly unresolved: readonly string[];
}

/** Reads the messages of `log.warn`, `log.error`, `die` and rare warnings from the sources. */
export function readLoggedTexts(): LoggedTexts {
  const paths = globSync('packages/server/src/**/*.ts', { cwd: rootFolder }).toSorted();
  const sources = paths.map((path) => parseSource({ path, text: readRepositoryFile(path) }));
  const messages = sources.flatMap((source) =>
    source.nodes.flatMap(({ node }) => {
      const message = messageOf(node);
      return message === undefined ? [] : [{ source, message }];
    }),
  );
  const texts: Logged[] = [];
  const unresolved: string[] = [];
  for (const { source, message } of messages) {
    const messageTexts = textsOf(message, source);
    for (const text of messageTexts ?? []) texts.push({ path: source.path, text });
    if (messageTexts === undefined) {
      const shown = source.text.slice(message.start, message.end);
      unresolved.push(`${source.path} ${shown}`);
    }
  }
  return { texts, unresolved };
}

/** Every sentence within a declaration of a file, such as a function that makes a warning. */
export function sentencesOf(path: string, name: string): readonly Logged[] {
  const source = parseSource({ path, text: readRepositoryFile(path) });
  const declared = source.nodes.find(
    ({ node }) => nameOf(node.id) === name && /^(?:Function|Variable)Declarat/.test(node.type),
  )?.node;
  if (declared === undefined) throw new Error(`${path} does not declare ${name}`);
  const inside = source.nodes.filter(
    ({ node }) => declared.start <= node.start && node.end <= declared.end,
  );
  return inside.flatMap(({ node, parent }) => {
    const isPart = parent !== undefined && isSum(parent);
    const text = isPart ? undefined : fixedText(node);
    return text !== undefined && text.split(' ').length > 3 ? [{ path, text }] : [];
  });
}

/** The argument of a call that logs a warning or an error. */
function messageOf(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return undefined;
  const { callee } = node;
  const given = Array.isArray(node.arguments) ? node.arguments.filter(isNode) : [];
  if (/^createRare\w*Warning$/.test(nameOf(callee) ?? '')) return given[1];
  if (nameOf(callee) === 'die') return given[2];
  const level = nameOf(callee.property);
  if (level !== 'warn' && level !== 'error') return undefined;
  const { object } = callee;
  const logName = isNode(object) ? (nameOf(object) ?? nameOf(object.property)) : undefined;
  return logName === 'log' ? given[1] : undefined;
}

function textsOf(message: SyntaxNode, source: Source): readonly string[] | undefined {
  const fixed = fixedText(message);
  if (fixed !== undefined) return [fixed];
  const { type, consequent, alternate } = message;
  if (type === 'ConditionalExpression' && isNode(consequent) && isNode(alternate)) {
    const both = [textsOf(consequent, source), textsOf(alternate, source)];
    return both.every((each) => each !== undefined) ? both.flat() : undefined;
  }
  const constant = constantOf(nameOf(message), source);
  return constant === undefined ? undefined : textsOf(constant, source);
}

/** The value of a constant of the file. */
function constantOf(name: string | undefined, { nodes }: Source): SyntaxNode | undefined {
  if (name === undefined) return undefined;
  const declared = nodes.filter(
    ({ node }) => node.type === 'VariableDeclarator' && nameOf(node.id) === name,
  );
  const init = declared.length === 1 ? declared[0]?.node.init : undefined;
  return isNode(init) && fixedText(init) !== undefined ? init : undefined;
}

function isSum({ type, operator }: SyntaxNode): boolean {
  return type === 'BinaryExpression' && operator === '+';
}

/** The text of a literal, a template or a sum of them. */
function fixedText(node: SyntaxNode): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && Array.isArray(node.quasis)) {
    return node.quasis.map((each) => Object(Object(each).value).cooked ?? '').join('…');
  }
  if (!isSum(node) || !isNode(node.left) || !isNode(node.right)) return undefined;
  const [left, right] = [fixedText(node.left), fixedText(node.right)];
  return left === undefined && right === undefined ? undefined : `${left ?? '…'}${right ?? '…'}`;
}
