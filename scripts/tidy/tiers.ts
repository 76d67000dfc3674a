import type { Finding } from './finding.ts';
import type { Project } from './project.ts';
import { isNode, nameOf, type SyntaxNode } from './source.ts';

/** The first tier, which `npm test` runs. */
const firstTier = /^packages\/[^/]+\/test\/|^examples\/[^/]+\.test\.ts$/;

/** Starters in modules that both tiers use. */
const starters = ['startOwnPostgres'];

/** Imports by which the first tier would start a second gateway or its own PostgreSQL. */
export function findTiers({ sources }: Project): readonly Finding[] {
  return sources
    .filter(({ path }) => firstTier.test(path))
    .flatMap((source) =>
      source.nodes.flatMap(({ node }) => {
        const name = secondTierName(node);
        if (name === undefined) return [];
        const cure = `move this test below test-full: ${name} is for the second tier only`;
        return [{ path: source.path, line: source.lineOf(node.start), rule: 'tiers', cure }];
      }),
    );
}

function secondTierName(node: SyntaxNode): string | undefined {
  if (node.type === 'ImportSpecifier') {
    return starters.find((starter) => starter === nameOf(node.imported));
  }
  // An import, a re-export or a dynamic import.
  if (!/^(Import|Export)\w*(Declaration|Expression)$/.test(node.type)) return undefined;
  const from = isNode(node.source) ? node.source.value : undefined;
  return typeof from === 'string' && from.includes('test-full/') ? from : undefined;
}
