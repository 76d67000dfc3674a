import type { Price } from '../../catalog/catalog.ts';
import type { ToolUses } from '../../catalog/flat-price.ts';
import type { Doubt } from '../../domain/doubt.ts';
import { inputParts, outputParts, type TokenPart, tokenParts } from '../../domain/rates.ts';
import type { ReportedUsage } from '../../platforms/model/port.ts';
import { allTools } from '../../platforms/statements/numbers.ts';
import type { Bound } from '../model/candidate.ts';

/** Accepts counts that have rates, and drops the doubts that they explain. */
export function withPricedCounts(usage: ReportedUsage, bound: Bound): ReportedUsage {
  const { flat, parts } = bound.price ?? {};
  const used = flat?.toolUses === undefined ? usage : withToolUses(usage, flat.toolUses);
  return parts === undefined ? used : withParts(used, bound, parts);
}

/**
 * Without count or price, or with two counts, a tool use stays in doubt. The largest count is
 * booked.
 */
function withToolUses(usage: ReportedUsage, prices: Readonly<Record<string, unknown>>) {
  const counts = countsIn(usage.doubts.filter(({ tool = '' }) => Object.hasOwn(prices, tool)));
  if (counts.size === 0) return usage;
  let sum = 0;
  const toolUses: Record<string, number> = {};
  for (const [tool, reported] of counts) {
    toolUses[tool] = Math.max(...reported);
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

function countsIn(doubts: readonly Doubt[]): ReadonlyMap<string, ReadonlySet<number>> {
  const counts = new Map<string, Set<number>>();
  for (const { tool, uses } of doubts) {
    if (tool === undefined || uses === undefined) continue;
    const reported = counts.get(tool) ?? new Set();
    counts.set(tool, reported.add(uses));
  }
  return counts;
}

type PartRates = NonNullable<Price['parts']>;

/** Exact if reported and disjoint; unreported parts count at the higher rate. */
function withParts(usage: ReportedUsage, bound: Bound, rates: PartRates): ReportedUsage {
  const doubts = usage.doubts.filter(({ part }) => part === undefined || !(part in rates));
  const parts: Partial<Record<TokenPart, number | undefined>> = {};
  for (const part of tokenParts)
    if (part in rates) parts[part] = part === 'reasoning' ? usage.reasoningTokens : usage[part];
  const sumOf = (names: readonly TokenPart[]) => {
    return names.reduce((sum, part) => sum + (parts[part] ?? 0), 0);
  };
  const { inputTokens = 0, outputTokens = 0 } = usage;
  const { cachedInputTokens: cached = 0, cacheWriteInputTokens: written = 0 } = usage;
  const { inputPicoUsd = 0n, outputPicoUsd = 0n } = bound.price ?? {};
  const fillIn = (part: TokenPart, rest: number, rate: bigint) => {
    if (!(part in rates) || parts[part] !== undefined) return;
    parts[part] = (rates[part] ?? 0n) > rate ? Math.max(rest, 0) : 0;
    doubts.push({ reason: 'no-counts', name: `usage.${part}` });
  };
  // Requests contain no audio, and platforms report the audio that they generate.
  const freshInput = inputTokens - cached - written - sumOf(inputParts);
  if (bound.hasImages === true) fillIn('imageInput', freshInput, inputPicoUsd);
  fillIn('reasoning', outputTokens - sumOf(outputParts), outputPicoUsd);
  const ofInput = sumOf(inputParts);
  if (ofInput > inputTokens || sumOf(outputParts) > outputTokens) doubts.push(impossible);
  // No catalog row has a price for the cached tokens of a part.
  else if (ofInput > 0 && cached + written > 0) doubts.push(cachedParts);
  return { ...usage, parts, doubts };
}

const impossible: Doubt = { reason: 'impossible-counts', name: 'usage' };
const cachedParts: Doubt = { reason: 'other-price', name: 'usage.cached' };
