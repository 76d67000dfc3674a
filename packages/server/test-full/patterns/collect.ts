import { isNode, nameOf, type Source, type SyntaxNode } from '../../../../scripts/tidy/source.ts';

/** A regular expression as its text, such as `/a+/u`, and the first line that has it. */
export interface PatternText {
  readonly text: string;
  readonly place: string;
}

/** The source text of an expression that only the running program can evaluate. */
export interface DynamicPattern {
  readonly path: string;
  readonly written: string;
}

/** Every pattern of these sources, readable or not. */
export interface Patterns {
  readonly texts: ReadonlyMap<string, string>;
  readonly dynamic: readonly DynamicPattern[];
}

/**
 * Collects literals, arguments of `RegExp`, and properties named `pattern`, which schemas have. A
 * name refers to every constant with that name, in any file.
 */
export function collectPatterns(sources: readonly Source[]): Patterns {
  const constants = constantsIn(sources);
  const texts = new Map<string, string>();
  const dynamic: DynamicPattern[] = [];
  for (const source of sources) {
    for (const { node, parent } of source.nodes) {
      const found = patternsAt(node, parent, constants);
      const place = `${source.path}:${source.lineOf(node.start)}`;
      for (const text of found ?? []) if (!texts.has(text)) texts.set(text, place);
      if (found === undefined) {
        const written = source.text.slice(node.start, node.end).replace(/\s+/g, ' ');
        dynamic.push({ path: source.path, written });
      }
    }
  }
  return { texts, dynamic };
}

/** Every property named `pattern` of a JSON document, which no source contains as text. */
export function patternsInJson(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'pattern' && typeof inner === 'string'
      ? [writtenAs(inner, 'u')]
      : patternsInJson(inner),
  );
}

type Constants = ReadonlyMap<string, readonly SyntaxNode[]>;

function constantsIn(sources: readonly Source[]): Constants {
  const constants = new Map<string, SyntaxNode[]>();
  for (const { node } of sources.flatMap(({ nodes }) => nodes)) {
    const name = node.type === 'VariableDeclarator' ? nameOf(node.id) : undefined;
    if (name === undefined || !isNode(node.init)) continue;
    constants.set(name, [...(constants.get(name) ?? []), node.init]);
  }
  return constants;
}

/** The patterns of a node; undefined if one of them cannot be read. */
function patternsAt(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  constants: Constants,
): readonly string[] | undefined {
  const literal = literalAt(node);
  if (literal !== undefined) return [literal];
  if (isConstructor(node)) {
    const [pattern, flags] = Array.isArray(node.arguments) ? node.arguments : [];
    const [known] = flags === undefined ? [''] : (textsOf(flags, constants) ?? []);
    if (known === undefined) return undefined;
    return textsOf(pattern, constants)?.map((text) => writtenAs(text, known));
  }
  const isPattern = node.type === 'Property' && parent?.type === 'ObjectExpression';
  if (!isPattern || node.computed === true || keyOf(node) !== 'pattern') return [];
  return isNode(node.value) && isOther(node.value, constants)
    ? []
    : textsOf(node.value, constants)?.map((text) => writtenAs(text, 'u'));
}

function isConstructor({ type, callee }: SyntaxNode): boolean {
  return (type === 'NewExpression' || type === 'CallExpression') && nameOf(callee) === 'RegExp';
}

function keyOf({ key }: SyntaxNode): unknown {
  return nameOf(key) ?? (isNode(key) ? key.value : undefined);
}

function literalAt({ regex }: SyntaxNode): string | undefined {
  if (typeof regex !== 'object' || regex === null) return undefined;
  if (!('pattern' in regex) || !('flags' in regex)) return undefined;
  return `/${regex.pattern}/${regex.flags}`;
}

/** A value that is checked where it is created: a literal, a function, the source of a literal. */
function isOther(node: SyntaxNode, constants: Constants): boolean {
  if (literalAt(node) !== undefined || /Function/.test(node.type)) return true;
  if (node.type === 'MemberExpression') return nameOf(node.property) === 'source';
  const all = constants.get(nameOf(node) ?? '') ?? [];
  return all.length > 0 && all.every((one) => literalAt(one) !== undefined);
}

/** All possible values of an expression; undefined if they cannot be read. */
function textsOf(node: unknown, constants: Constants): readonly string[] | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal') return literalAt(node) ? undefined : [String(node.value)];
  if (node.type === 'TaggedTemplateExpression') {
    return isNode(node.quasi) ? templateTexts(node.quasi, 'raw', constants) : undefined;
  }
  if (node.type === 'TemplateLiteral') return templateTexts(node, 'cooked', constants);
  const all = constants.get(nameOf(node) ?? '');
  const texts = all?.map((one) => textsOf(one, constants));
  return texts?.every((one) => one !== undefined) ? texts.flat() : undefined;
}

function templateTexts(
  { quasis, expressions }: SyntaxNode,
  form: 'raw' | 'cooked',
  constants: Constants,
): readonly string[] | undefined {
  if (!Array.isArray(quasis) || !Array.isArray(expressions)) return undefined;
  let texts: readonly string[] = [''];
  for (const [index, { value }] of quasis.entries()) {
    const inner = index === 0 ? [''] : textsOf(expressions[index - 1], constants);
    if (inner === undefined) return undefined;
    texts = texts.flatMap((text) => inner.map((part) => `${text}${part}${value[form]}`));
  }
  return texts;
}

function writtenAs(pattern: string, flags: string): string {
  return new RegExp(pattern, flags).toString();
}
