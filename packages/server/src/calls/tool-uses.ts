import type { ToolUses } from '../catalog/flat-price.ts';
import type { Doubt } from '../domain/doubt.ts';
import type { FlatPrice } from '../domain/rates.ts';
import { allTools, type ReportedUsage } from '../platforms/port.ts';

/**
 * The usage with the uses of priced tools that a platform counts, and without the doubts that they
 * explain. A use that is not counted, has no price or is counted twice with two results stays in
 * doubt; of these the largest count is booked.
 */
export function withToolUses(
  usage: ReportedUsage,
  { toolUses: prices = {} }: FlatPrice,
): ReportedUsage {
  const counts = countsIn(usage.doubts.filter(({ tool = '' }) => Object.hasOwn(prices, tool)));
  if (counts.size === 0) return usage;
  let sum = 0;
  const toolUses: Record<string, number> = {};
  for (const [tool, stated] of counts) {
    toolUses[tool] = Math.max(...stated);
    sum += toolUses[tool];
  }
  const isExplained = ({ tool, uses }: Doubt) => {
    if (tool === allTools) return uses === sum;
    return tool !== undefined && counts.get(tool)?.size === 1;
  };
  const doubts = usage.doubts.filter((doubt) => {
    return doubt.reason !== 'server-tool' || !isExplained(doubt);
  });
  return { ...usage, toolUses: toolUses satisfies ToolUses, doubts };
}

/** The counts of each tool: several contradict each other. */
function countsIn(doubts: readonly Doubt[]): ReadonlyMap<string, ReadonlySet<number>> {
  const counts = new Map<string, Set<number>>();
  for (const { tool, uses } of doubts) {
    if (tool === undefined || uses === undefined) continue;
    const stated = counts.get(tool) ?? new Set();
    counts.set(tool, stated.add(uses));
  }
  return counts;
}
