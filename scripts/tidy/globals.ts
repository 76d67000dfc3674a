import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { nameOf, type PositionedNode, type Source, type SyntaxNode } from './source.ts';

/** Paths in which time and chance may come from the machine. */
const allowances: readonly { readonly within: string; readonly allowed: string }[] = [
  { within: 'packages/server/src/', allowed: 'packages/server/src/lib/' },
  { within: 'packages/sdk/src/', allowed: 'packages/sdk/src/call/runtime' },
  { within: 'packages/simulator/src/', allowed: 'packages/simulator/src/serve.ts' },
];

const names = ['setTimeout', 'setInterval', 'randomUUID'];

const members: Readonly<Record<string, readonly string[]>> = {
  Date: ['now'],
  Math: ['random'],
  AbortSignal: ['timeout'],
  crypto: ['randomUUID'],
  globalThis: names,
};

/** Time and chance that a test could not control. */
export function findGlobals({ sources }: Project): readonly Finding[] {
  return sources.flatMap((source) => {
    const allowance = allowances.find(({ within }) => source.path.startsWith(within));
    if (allowance === undefined || source.path.startsWith(allowance.allowed)) return [];
    return source.nodes.flatMap(
      (positioned) => findGlobal(positioned, source, allowance.allowed) ?? [],
    );
  });
}

function findGlobal(
  { node, parent }: PositionedNode,
  source: Source,
  allowed: string,
): Finding | undefined {
  const name = memberName(node) ?? dateName(node) ?? plainName(node, parent);
  if (name === undefined) return undefined;
  const cure = `take ${name} from the parameters; only ${allowed} may use the machine's`;
  return { path: source.path, line: source.lineOf(node.start), rule: 'globals', cure };
}

function memberName(node: SyntaxNode): string | undefined {
  if (node.type !== 'MemberExpression') return undefined;
  const object = nameOf(node.object) ?? '';
  const property = nameOf(node.property) ?? '';
  return members[object]?.includes(property) === true ? `${object}.${property}` : undefined;
}

function dateName(node: SyntaxNode): string | undefined {
  if (node.type !== 'NewExpression' || nameOf(node.callee) !== 'Date') return undefined;
  return Array.isArray(node.arguments) && node.arguments.length === 0 ? 'new Date()' : undefined;
}

/** A name by itself: not the property of something, and not a key. */
function plainName(node: SyntaxNode, parent: SyntaxNode | undefined): string | undefined {
  const name = nameOf(node);
  if (name === undefined || !names.includes(name)) return undefined;
  const isProperty = parent?.type === 'MemberExpression' && parent.property === node;
  const isKey = parent?.key === node && parent.shorthand !== true;
  return isProperty || isKey ? undefined : name;
}
