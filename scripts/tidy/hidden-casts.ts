import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { type Measure, withRatchet } from './ratchet.ts';
import { isNode, nameOf, type PositionedNode, type Source, type SyntaxNode } from './source.ts';

/** Ways to give a value a type that nothing checks, without the word `as`. */
const cures = {
  'json-parse': 'write `const value: unknown = JSON.parse(…)`, and let a parser read that',
  'object-call': '`Object(x)` is any: narrow x with isRecord',
  overload: 'give one signature that its body can keep: nothing compares an overload with the body',
  reflect: 'Reflect answers any: read a field of a Record, or call the function',
  'result-generic': 'only the result has this type, so the caller chooses it: take a parser for it',
} as const;

type Kind = keyof typeof cures;

/** Each hidden cast of the packages' sources. */
export function findHiddenCasts(project: Project): readonly Finding[] {
  const positions = project.sources
    .filter(({ path }) => /^packages\/[^/]+\/src\//.test(path))
    .flatMap(castsIn);
  const counts = new Map<Kind, number>();
  for (const { kind } of positions) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const measures = positions.map(({ kind, path, line }): Measure => {
    const cure = `${kind}: ${cures[kind]}`;
    const finding = { path, line, rule: 'hidden-casts', cure };
    return { key: kind, actual: counts.get(kind) ?? 0, most: 0, finding };
  });
  return withRatchet(project, 'hidden-casts', measures);
}

function castsIn(source: Source) {
  const parents = new Map(source.nodes.map(({ node, parent }) => [node, parent]));
  return source.nodes.flatMap((placed) => {
    const kind = kindOf(placed, parents, source);
    const line = source.lineOf(placed.node.start);
    return kind === undefined ? [] : [{ kind, path: source.path, line }];
  });
}

type Parents = ReadonlyMap<SyntaxNode, SyntaxNode | undefined>;

function kindOf(
  { node, parent }: PositionedNode,
  parents: Parents,
  source: Source,
): Kind | undefined {
  if (node.type === 'TSDeclareFunction' && node.declare !== true) return 'overload';
  if (isNode(node.typeParameters) && isNode(node.returnType)) {
    const { typeParameters, returnType } = node;
    if (hasResultGeneric(node, typeParameters, returnType, source)) return 'result-generic';
  }
  const kind = node.type === 'CallExpression' ? anyKindOf(node.callee) : undefined;
  return kind === undefined || isUnknown(node, parent, parents) ? undefined : kind;
}

/** The kind of a call that returns any. */
function anyKindOf(callee: unknown): Kind | undefined {
  if (!isNode(callee)) return undefined;
  if (nameOf(callee) === 'Object') return 'object-call';
  const called = `${nameOf(callee.object) ?? ''}.${nameOf(callee.property) ?? ''}`;
  if (called === 'Reflect.get' || called === 'Reflect.apply') return 'reflect';
  return called === 'JSON.parse' ? 'json-parse' : undefined;
}

/** Whether a value is declared as unknown, is dropped, is compared, or becomes a text. */
function isUnknown(node: SyntaxNode, parent: SyntaxNode | undefined, parents: Parents): boolean {
  switch (parent?.type) {
    case 'ExpressionStatement':
    case 'BinaryExpression':
      return true;
    case 'UnaryExpression':
      return parent.operator === 'typeof';
    case 'CallExpression':
      return nameOf(parent.callee) === 'String';
    case 'ConditionalExpression':
    case 'LogicalExpression':
      return isUnknown(parent, parents.get(parent), parents);
    case 'VariableDeclarator':
      return isNode(parent.id) && typeOf(parent.id.typeAnnotation) === 'TSUnknownKeyword';
    case 'AssignmentExpression':
      return isUnknownVariable(nameOf(parent.left), parents);
    case 'ReturnStatement':
      return typeOf(functionAround(parent, parents)?.returnType) === 'TSUnknownKeyword';
    default:
      return parent?.body === node && typeOf(parent.returnType) === 'TSUnknownKeyword';
  }
}

function isUnknownVariable(name: string | undefined, parents: Parents): boolean {
  return [...parents.keys()].some(
    (node) => nameOf(node) === name && typeOf(node.typeAnnotation) === 'TSUnknownKeyword',
  );
}

function functionAround(node: SyntaxNode, parents: Parents): SyntaxNode | undefined {
  let owner = parents.get(node);
  while (owner !== undefined && !/Function/.test(owner.type)) owner = parents.get(owner);
  return owner;
}

function typeOf(annotation: unknown): string | undefined {
  const type = isNode(annotation) ? annotation.typeAnnotation : undefined;
  return isNode(type) ? type.type : undefined;
}

/** Whether a type parameter is in the result, and in no parameter that could determine it. */
function hasResultGeneric(
  node: SyntaxNode,
  { params: generics }: SyntaxNode,
  result: SyntaxNode,
  { text }: Source,
): boolean {
  const textOf = (part: unknown) => (isNode(part) ? text.slice(part.start, part.end) : '');
  const parameters = Array.isArray(node.params) ? node.params.map(textOf).join(' ') : '';
  return (Array.isArray(generics) ? generics : []).some((generic) => {
    const name = nameOf(generic.name) ?? '';
    const word = new RegExp(`\\b${name}\\b`);
    return name !== '' && word.test(textOf(result)) && !word.test(parameters);
  });
}
