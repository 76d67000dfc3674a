import { type Doubt, noDoubts } from '../../domain/doubt.ts';
import type { ReportedUsage } from '../model/port.ts';
import { impossibleCounts, isInDoubt } from './reported-usage.ts';

export function hasCount({ inputTokens, outputTokens }: ReportedUsage): boolean {
  return inputTokens !== undefined || outputTokens !== undefined;
}

export const noUsage: ReportedUsage = {
  inputTokens: undefined,
  cachedInputTokens: undefined,
  cacheWriteInputTokens: undefined,
  outputTokens: undefined,
  reasoningTokens: undefined,
  doubts: noDoubts,
};

export const contradiction: Doubt = { reason: 'contradicting-counts', name: 'usage' };

const countNames = [
  ...(['inputTokens', 'cachedInputTokens', 'cacheWriteInputTokens'] as const),
  ...(['cacheWrite1hInputTokens', 'outputTokens', 'reasoningTokens'] as const),
  ...(['imageInput', 'audioInput', 'imageOutput', 'audioOutput'] as const),
] as const;

/** The later statement is last. */
export function together(before: ReportedUsage, after: ReportedUsage): ReportedUsage {
  if (!hasCount(before)) return withMore(withCostOf(after, before), before.doubts);
  const isContradicted =
    isInDoubt(before, 'contradicting-counts') ||
    isSmaller(before, after) ||
    leavesOut(before, after);
  const counts = isContradicted ? mostExpensive(before, after) : grown(before, after);
  const isKnownNow =
    after.cacheWriteInputTokens !== undefined && !isInDoubt(after, 'cache-lifetime');
  const earlier = before.doubts.filter(
    ({ reason }) => isContradicted || !isKnownNow || reason !== 'cache-lifetime',
  );
  const { inputTokens, cachedInputTokens = 0, cacheWriteInputTokens = 0 } = counts;
  const isWithin = cachedInputTokens + cacheWriteInputTokens <= (inputTokens ?? Infinity);
  const whole = withCostOf({ ...counts, doubts: earlier }, before, after);
  return withMore(whole, [
    ...(isContradicted ? [contradiction] : []),
    ...after.doubts,
    ...(isWithin ? [] : [impossibleCounts]),
  ]);
}

function isSmaller(before: ReportedUsage, after: ReportedUsage): boolean {
  const isLess = countNames.some((name) => (after[name] ?? Infinity) < (before[name] ?? 0));
  // More cached tokens of the same input mean fewer uncached tokens.
  return (
    isLess ||
    isFewer(uncachedIn(after), uncachedIn(before)) ||
    isFewer(hourIn(after), hourIn(before))
  );
}

function isFewer(after: number | undefined, before: number | undefined): boolean {
  return after !== undefined && before !== undefined && after < before;
}

function uncachedIn({ inputTokens, cachedInputTokens }: ReportedUsage): number | undefined {
  if (inputTokens === undefined || cachedInputTokens === undefined) return undefined;
  return inputTokens - cachedInputTokens;
}

/** If cache writes are reported, those without a lifetime live for minutes. */
function hourIn({ cacheWriteInputTokens, cacheWrite1hInputTokens }: ReportedUsage) {
  return cacheWrite1hInputTokens ?? (cacheWriteInputTokens === undefined ? undefined : 0);
}

/** A complete statement that omits an earlier cheaper part bills it in full. */
function leavesOut(before: ReportedUsage, after: ReportedUsage): boolean {
  return (before.cachedInputTokens ?? 0) > 0 && cachedIn(after) === 0;
}

type Counts = { -readonly [Name in (typeof countNames)[number]]?: number };

function grown(before: ReportedUsage, after: ReportedUsage): ReportedUsage {
  const counts: Counts = {};
  for (const name of countNames) {
    const count = after[name] ?? before[name];
    if (count !== undefined) counts[name] = count;
  }
  return { ...noUsage, ...counts };
}

/** Uses the smallest cached input, because cached input is cheaper. */
export function mostExpensive(one: ReportedUsage, other: ReportedUsage): ReportedUsage {
  const counts: Counts = {};
  for (const name of countNames) {
    const [a, b] = [one[name], other[name]];
    if (a !== undefined || b !== undefined) counts[name] = Math.max(a ?? 0, b ?? 0);
  }
  const { inputTokens, cacheWriteInputTokens: written = 0, outputTokens } = counts;
  const cached = smallest(cachedIn(one), cachedIn(other));
  if (cached !== undefined) {
    counts.cachedInputTokens = Math.max(0, Math.min(cached, (inputTokens ?? Infinity) - written));
  }
  if (counts.reasoningTokens !== undefined && outputTokens !== undefined) {
    counts.reasoningTokens = Math.min(counts.reasoningTokens, outputTokens);
  }
  return withCostOf({ ...noUsage, ...counts }, one, other);
}

export function withCostOf(counts: ReportedUsage, ...reported: readonly ReportedUsage[]) {
  let { reportedCost } = counts;
  for (const { reportedCost: one } of reported)
    if (one !== undefined && one.picoUsd > (reportedCost?.picoUsd ?? 0n)) reportedCost = one;
  return reportedCost === undefined ? counts : { ...counts, reportedCost };
}

/** A complete statement without a cached count has none. */
function cachedIn(usage: ReportedUsage): number | undefined {
  const isWhole = usage.inputTokens !== undefined && usage.outputTokens !== undefined;
  return usage.cachedInputTokens ?? (isWhole ? 0 : undefined);
}

function smallest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}

export function withMore(usage: ReportedUsage, doubts: readonly Doubt[]): ReportedUsage {
  if (doubts.length === 0) return usage;
  const all = new Map<string, Doubt>();
  for (const doubt of [...usage.doubts, ...doubts]) {
    const key = [doubt.reason, doubt.name, doubt.word, doubt.tool ?? doubt.part].join(' ');
    // Counts of uses only grow.
    const isLess = (doubt.uses ?? 0) < (all.get(key)?.uses ?? 0);
    if (all.size < doubtsMax && !isLess) all.set(key, doubt);
  }
  return { ...usage, doubts: [...all.values()] };
}

/** Above the number of reasons, so each reason fits if its names are few. */
const doubtsMax = 32;
