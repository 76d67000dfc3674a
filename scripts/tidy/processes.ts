import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { isNode, type SyntaxNode } from './source.ts';

/** Tests, benchmarks, checks and examples. */
const users = /^(benchmarks|checks|examples)\/|\/test(-full)?\/|\.test\.tsx?$/;

/** Processes that are started past the harness: nothing ends them with the test. */
export function findProcesses({ sources }: Project): readonly Finding[] {
  return sources
    .filter(({ path }) => users.test(path))
    .flatMap((source) =>
      source.nodes
        .filter(({ node }) => isStarter(node))
        .map(({ node }) => ({
          ...{ path: source.path, line: source.lineOf(node.start), rule: 'processes' },
          cure: 'start it with `run`, `endOf` or `start` of harness/process.ts',
        })),
    );
}

/** Whether a node imports what starts processes; their types may be imported. */
function isStarter(node: SyntaxNode): boolean {
  if (!/^(Import|Export)\w*(Declaration|Expression)$/.test(node.type)) return false;
  const from = isNode(node.source) ? node.source.value : undefined;
  const isType = node.importKind === 'type' || node.exportKind === 'type';
  return !isType && (from === 'node:child_process' || from === 'child_process');
}
