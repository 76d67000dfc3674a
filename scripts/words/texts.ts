import type { Source, SyntaxNode } from '../tidy/source.ts';
import { isNode } from '../tidy/source.ts';

/** The areas whose texts people read, each with its own catalog. */
export const areas = ['log', 'command-line', 'errors', 'webhooks-and-metrics', 'console'] as const;

/** An area whose texts people read. */
export type Area = (typeof areas)[number];

/** A text that a user, an operator or a caller reads, with `${…}` for each value. */
export interface Text {
  readonly area: Area;
  readonly path: string;
  readonly text: string;
}

/** The texts of the sources of the packages, in the order of the files. */
export function readTexts(sources: readonly Source[]): readonly Text[] {
  return sources.flatMap((source) => {
    const area = areaOf(source.path);
    if (area === undefined) return [];
    const logged = nodesInside(source, isLogCall);
    const styling = nodesInside(source, isClassAttribute);
    return source.nodes.flatMap(({ node, parent }) => {
      if (styling.has(node)) return [];
      const text = textOf(node, parent, source);
      if (text === undefined || !isShown(text, node, source.path)) return [];
      return [{ area: logged.has(node) ? 'log' : area, path: source.path, text } as const];
    });
  });
}

function areaOf(path: string): Area | undefined {
  return folders.find(([folder]) => folder.test(path))?.[1];
}

const folders: readonly (readonly [folder: RegExp, area: Area])[] = [
  [/^packages\/console\/src\//, 'console'],
  [/^packages\/server\/src\/(?:cli|operations|reports)\//, 'command-line'],
  [/^packages\/server\/src\/(?:notify|observe)\//, 'webhooks-and-metrics'],
  [/^packages\/(?:server|contract|sdk|simulator|lab)\/src\//, 'errors'],
];

const levels = new Set(['info', 'warn', 'error', 'debug']);

function nodesInside(
  { nodes }: Source,
  isRoot: (node: SyntaxNode) => boolean,
): ReadonlySet<SyntaxNode> {
  const inside = new Set<SyntaxNode>();
  for (const { node, parent } of nodes) {
    // Parents come before their children.
    if (isRoot(node) || (parent !== undefined && inside.has(parent))) inside.add(node);
  }
  return inside;
}

/** A call such as `log.warn(fields, message)`. */
function isLogCall({ type, callee }: SyntaxNode): boolean {
  if (type !== 'CallExpression' || !isNode(callee)) return false;
  const { object, property } = callee;
  if (!isNode(object) || !isNode(property) || !levels.has(String(property.name))) return false;
  const name = object.type === 'MemberExpression' ? Object(object.property).name : object.name;
  return name === 'log';
}

function isClassAttribute({ type, name }: SyntaxNode): boolean {
  return type === 'JSXAttribute' && isNode(name) && name.name === 'class';
}

/** The text of a node, joined with the literals that `+` adds to it. */
function textOf(node: SyntaxNode, parent: SyntaxNode | undefined, source: Source) {
  if (parent !== undefined && isSum(parent)) return undefined;
  if (isSum(node)) return leavesOf(node).some(isText) ? partOf(node, source) : undefined;
  if (node.type === 'JSXText' && typeof node.value === 'string') return oneLine(node.value);
  return isText(node) ? partOf(node, source) : undefined;
}

function isSum({ type, operator }: SyntaxNode): boolean {
  return type === 'BinaryExpression' && operator === '+';
}

function leavesOf(node: SyntaxNode): readonly SyntaxNode[] {
  return isSum(node) ? [node.left, node.right].filter(isNode).flatMap(leavesOf) : [node];
}

function isText({ type, value }: SyntaxNode): boolean {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');
}

function partOf(node: SyntaxNode, source: Source): string {
  if (isSum(node)) {
    return leavesOf(node)
      .map((leaf) => partOf(leaf, source))
      .join('');
  }
  if (node.type === 'TemplateLiteral') return ofTemplate(node, source);
  return node.type === 'Literal' ? String(node.value) : placeholderOf(node, source);
}

function ofTemplate({ quasis, expressions }: SyntaxNode, source: Source): string {
  const values = Array.isArray(expressions) ? expressions.filter(isNode) : [];
  const parts = Array.isArray(quasis) ? quasis : [];
  return parts
    .map((part, index) => {
      const value = values[index];
      const fixed = String(Object(Object(part).value).cooked ?? '');
      return value === undefined ? fixed : fixed + placeholderOf(value, source);
    })
    .join('');
}

const unnamed = `\${…}`;

/** A short expression is shown, since it names the value. */
function placeholderOf({ start, end }: SyntaxNode, { text }: Source): string {
  const code = text.slice(start, end);
  return /^[\w.]+$/.test(code) ? `\${${code}}` : unnamed;
}

/** One word of a page is a label; elsewhere it is a name or a value. SQL is not text for people. */
function isShown(text: string, node: SyntaxNode, path: string): boolean {
  const fixed = text.replaceAll(/\$\{[^}]*\}/g, '…');
  if (!/\p{L}{2}/u.test(fixed)) return false;
  if (node.type !== 'JSXText' && !/\S\s+\S/.test(fixed.trim())) return false;
  return !(/\/store\//.test(path) && statement.test(fixed));
}

const statement =
  /^\s*(?:alter|and|as|begin|coalesce|create|delete|drop|from|group|insert|join|limit|lock|not|on|or|order|pragma|returning|select|set|update|values|where|with)\b/i;

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
