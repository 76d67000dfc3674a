import type { Doubt } from '../../domain/doubt.ts';
import { countOf, fieldOf, isRecord } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../model/port.ts';
import type { CountLine, CountMeaning } from '../statements/counts.ts';
import { type UsagePathLine, usagePathLines } from '../statements/usage-paths.ts';
import { withLifetimes, writtenIn } from './lifetimes.ts';
import { contradiction, mostExpensive, noUsage, withCostOf, withMore } from './merge.ts';
import { isAllZero, type RawUsage, reportedUsage } from './reported-usage.ts';
import { turnsIn, withTurns } from './turns.ts';
import { type UsageLines, type UsageNode, usageLines, usageTree } from './usage-tree.ts';
import { ParsedUsage } from './walk-usage.ts';

export interface UsageReader {
  readUsage(response: unknown): ReportedUsage;
  doubtsOf(usage: unknown): Pick<ReportedUsage, 'doubts' | 'reportedCost'>;
  hasUsage(response: unknown): boolean;
}

export function createUsageReader(
  lines: UsageLines = usageLines,
  paths: readonly UsagePathLine[] = usagePathLines,
): UsageReader {
  const root = usageTree(lines);
  // The most common path is read last.
  const all = paths.toReversed().map(({ path }) => {
    const [head = '', ...rest] = path.split('.');
    return { path, head, rest, names: [head, ...rest] };
  });
  return {
    readUsage(response) {
      if (!isRecord(response)) return noUsage;
      let merged: ReportedUsage | undefined;
      for (const { path, head, rest } of all) {
        const first = response[head];
        if (first === undefined) continue;
        const usage = rest.length === 0 ? first : valueAt(first, rest);
        if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) continue;
        const parsed = new ParsedUsage(usage, root, path);
        const one = parsed.isPlain ? parsed.plain() : usageOf(parsed, usage, root, path);
        merged = merged === undefined ? one : oneOf(merged, one);
      }
      return merged ?? noUsage;
    },
    doubtsOf(usage) {
      if (!isRecord(usage)) return noUsage;
      const parsed = new ParsedUsage(usage, root, 'usage');
      return { doubts: parsed.doubts(), ...costIn(parsed) };
    },
    hasUsage(response) {
      for (const { names } of all) if (isRecord(valueAt(response, names))) return true;
      return false;
    },
  };
}

function valueAt(response: unknown, names: readonly string[]): unknown {
  let value = response;
  for (const name of names) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}

function oneOf(one: ReportedUsage, other: ReportedUsage): ReportedUsage {
  const both = [...one.doubts, ...other.doubts];
  const isFirst = isSame(one, other) || isAllZero(other);
  if (isFirst || isAllZero(one)) {
    const counts = { ...(isFirst ? one : other), doubts: [] };
    return withMore(withCostOf(counts, one, other), both);
  }
  return withMore(mostExpensive(one, other), [...both, contradiction]);
}

function isSame(one: ReportedUsage, other: ReportedUsage): boolean {
  const { doubts: _, reportedCost: __, ...counts } = one;
  return Object.entries(counts).every(([name, count]) => fieldOf(other, name) === count);
}

function costIn({ cost, addedPicoUsd }: ParsedUsage): Pick<ReportedUsage, 'reportedCost'> {
  const picoUsd = (cost?.picoUsd ?? 0n) + addedPicoUsd;
  return picoUsd === 0n ? {} : { reportedCost: { picoUsd, name: cost?.name ?? 'usage.cost' } };
}

function usageOf(parsed: ParsedUsage, usage: object, root: UsageNode, path: string): ReportedUsage {
  const counts = withLifetimes(reportedUsage(countsOf(parsed)), parsed);
  const turns = turnsIn(usage);
  const counted =
    turns.length === 0
      ? counts
      : withTurns(
          counts,
          turns.map((turn) => countsOf(new ParsedUsage(turn, root, path))),
        );
  return { ...counted, ...parsed.parts, ...costIn(parsed) };
}

function countsOf(parsed: ParsedUsage): RawUsage & { readonly doubts: readonly Doubt[] } {
  const doubts = parsed.doubts();
  // One of two names for a whole has an invalid value.
  for (const { means, path } of parsed.broken ?? [])
    if ((means === 'input' || means === 'output') && parsed.counts[means] !== undefined)
      doubts.push({ reason: 'unknown-number', name: `usage.${path}` });
  const cacheWriteInputTokens = writtenIn(parsed);
  const cachedInputTokens = cachedIn(parsed, cacheWriteInputTokens, doubts);
  const reasoningTokens = parsed.counts.reasoning?.value;
  const totalTokens = parsed.counts.total?.value;
  const cached = cachedInputTokens ?? 0;
  const written = cacheWriteInputTokens ?? 0;
  const reasoning = reasoningTokens ?? 0;
  const { input, outputTokens } = wholesIn(parsed, { cached, written, reasoning }, totalTokens);
  // A part is reported without its whole, so the billed amount is unknown.
  if (isPartLost(parsed) || countOf(input ?? 0) === undefined)
    return { ...nothingIn, outputTokens, reasoningTokens, totalTokens, doubts };
  const uncached = parsed.counts.uncached?.value;
  const isSplit = uncached !== undefined && cachedInputTokens !== undefined && input !== undefined;
  if (isSplit && cached + uncached !== input) doubts.push(contradictingMiss);
  const inputTokens = isSplit ? Math.max(input, cached + uncached) : input;
  return {
    inputTokens,
    cachedInputTokens,
    cacheWriteInputTokens,
    outputTokens,
    reasoningTokens,
    totalTokens,
    doubts,
  };
}

const nothingIn = {
  inputTokens: undefined,
  cachedInputTokens: undefined,
  cacheWriteInputTokens: undefined,
};

const contradictingMiss: Doubt = {
  reason: 'contradicting-counts',
  name: 'usage.prompt_cache_miss_tokens',
};
const contradictingCached: Doubt = {
  reason: 'contradicting-counts',
  name: 'usage.cached_tokens',
};

/** The smallest count costs the most; some gateways also count writes as cached. */
function cachedIn(parsed: ParsedUsage, written: number | undefined, doubts: Doubt[]) {
  const cached = parsed.counts.cached;
  if (cached === undefined) return undefined;
  const isSum = written !== undefined && cached.least + written === cached.value;
  if (parsed.hasTwoCached && !isSum) doubts.push(contradictingCached);
  return cached.least;
}

interface Parts {
  readonly cached: number;
  readonly written: number;
  readonly reasoning: number;
}

function wholesIn(parsed: ParsedUsage, { cached, written, reasoning }: Parts, total?: number) {
  const input = parsed.counts.input?.value;
  const output = parsed.counts.output?.value;
  const isSum = total !== undefined && total === (input ?? 0) + (output ?? 0);
  const cachedApart = cached > 0 && isApart(parsed, 'input', ['cached']) ? cached : 0;
  const writtenApart = written > 0 && isApart(parsed, 'input', writes) ? written : 0;
  const thoughts = reasoning > 0 && isApart(parsed, 'output', ['reasoning']) ? reasoning : 0;
  const isInputWhole = isSum && cached + written <= (input ?? 0);
  const isOutputWhole = isSum && thoughts <= (output ?? 0);
  const more = cachedApart + writtenApart + (parsed.counts['more-input']?.value ?? 0);
  return {
    input: isInputWhole || input === undefined ? input : input + more,
    outputTokens: isOutputWhole || output === undefined ? output : output + thoughts,
  };
}

const writes = ['written', 'written-5m', 'written-1h'] as const;

function isApart(parsed: ParsedUsage, whole: WholeCount, parts: readonly CountMeaning[]): boolean {
  let hasLine = false;
  for (const means of parts)
    for (const line of parsed.counts[means]?.lines ?? []) {
      if (!isNextTo(parsed, whole, line)) return false;
      hasLine = true;
    }
  return hasLine;
}

type WholeCount = 'input' | 'output';

function isNextTo({ counts }: ParsedUsage, whole: WholeCount, { apart }: CountLine): boolean {
  if (apart === undefined || apart === 'any') return apart === 'any';
  return counts[whole]?.lines.every((line) => line.apart === apart) !== false;
}

/** The billed input is unknown: a part outside it is invalid, or has no input with it. */
function isPartLost(parsed: ParsedUsage): boolean {
  if (parsed.broken === undefined && parsed.counts.input !== undefined) return false;
  const isNext = (line: CountLine) => isNextTo(parsed, 'input', line);
  const isPart = (line: CountLine) => line.means === 'cached' || line.means.startsWith('written');
  if (parsed.broken?.some((line) => isPart(line) && isNext(line)) === true) return true;
  if (parsed.counts.input !== undefined) return false;
  const parts = ['cached', ...writes] as const;
  return parts.some((means) => parsed.counts[means]?.lines.some(isNext));
}

const reader = createUsageReader();

export const { readUsage, doubtsOf: doubtsOfUsage, hasUsage } = reader;
