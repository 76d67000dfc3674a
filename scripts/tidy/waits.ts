import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { type Measure, withRatchet } from './ratchet.ts';
import { isNode, nameOf, type PositionedNode, type Source, type SyntaxNode } from './source.ts';

/** Paths in which a wait decides whether a test passes. */
const tests = /\/test(-full)?\/|^examples\/|\.test\.ts$/;

/** The console has its own helper, and consumers of the packed client import nothing of this. */
const others = /^packages\/(console|sdk\/test-full\/consumers)\//;

const cures: Readonly<Record<string, string>> = {
  setTimeout: 'wait for a condition with `until` of harness/until.ts',
  'performance.now':
    'assert counts or the order of events: a busy machine decides how long it takes',
  'vi.waitFor': 'wait for a condition with `until` of harness/until.ts',
  'vi.waitUntil': 'wait for a condition with `until` of harness/until.ts',
};

/** Tests that wait for a fixed time, measure a time, or have a separate time limit. */
export function findWaits(project: Project): readonly Finding[] {
  const measures = project.sources
    .filter(({ path }) => tests.test(path) && !others.test(path))
    .flatMap((source) => measuresOf(source));
  return withRatchet(project, 'waits', measures);
}

function measuresOf(source: Source): readonly Measure[] {
  const findings = source.nodes.flatMap((placed) => {
    const cure = cureOf(placed, source);
    return cure === undefined ? [] : [{ line: source.lineOf(placed.node.start), cure }];
  });
  return findings.map(({ line, cure }) => ({
    ...{ key: source.path, actual: findings.length, most: 0 },
    finding: { path: source.path, line, rule: 'waits', cure },
  }));
}

function cureOf({ node, parent }: PositionedNode, source: Source): string | undefined {
  if (node.type === 'MemberExpression') {
    return cures[`${nameOf(node.object) ?? ''}.${nameOf(node.property) ?? ''}`];
  }
  if (isPrivatePoll(node)) return 'leave the time limit of `expect.poll` to vitest.config.ts';
  if (isPauseBeforeExpect(node, parent, source)) {
    return 'no result may depend on a pause: wait for a condition with `until`';
  }
  const isKey = parent?.key === node || parent?.property === node;
  return isKey ? undefined : cures[nameOf(node) ?? ''];
}

/** `expect.poll` with options. */
function isPrivatePoll(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return false;
  const { object, property } = node.callee;
  const isPoll = nameOf(object) === 'expect' && nameOf(property) === 'poll';
  return isPoll && Array.isArray(node.arguments) && node.arguments.length > 1;
}

/** A pause whose next statement is an expectation. */
function isPauseBeforeExpect(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
  { text }: Source,
): boolean {
  if (!text.startsWith('await pause(', node.start) || node.type !== 'ExpressionStatement') {
    return false;
  }
  const statements: readonly unknown[] = Array.isArray(parent?.body) ? parent.body : [];
  const next = statements[statements.indexOf(node) + 1];
  return (
    isNode(next) &&
    next.type === 'ExpressionStatement' &&
    /\bexpect\(/.test(text.slice(next.start, next.end))
  );
}
