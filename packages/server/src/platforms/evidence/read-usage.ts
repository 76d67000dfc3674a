import type { Doubt } from '../../domain/doubt.ts';
import { countOf, fieldOf, isRecord } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../model/port.ts';
import type { CountLine, CountMeaning } from '../statements/counts.ts';
import { type PlaceLine, placeLines } from '../statements/places.ts';
import { withLifetimes, writtenIn } from './lifetimes.ts';
import { contradiction, mostExpensive, noUsage, withCostOf, withMore } from './merge.ts';
import { isAllZero, reportedUsage, type StatedUsage } from './reported-usage.ts';
import { turnsIn, withTurns } from './turns.ts';
import { type UsageLines, type UsageNode, usageLines, usageTree } from './usage-tree.ts';
import { FoundUsage } from './walk-usage.ts';

export interface UsageReader {
  readUsage(response: unknown): ReportedUsage;
  doubtsOf(usage: unknown): Pick<ReportedUsage, 'doubts' | 'reportedCost'>;
  hasUsage(response: unknown): boolean;
}

export function createUsageReader(
  lines: UsageLines = usageLines,
  places: readonly PlaceLine[] = placeLines,
): UsageReader {
  const root = usageTree(lines);
  // The place of most is read last.
  const all = places.toReversed().map(({ path }) => {
    const [head = '', ...rest] = path.split('.');
    return { path, head, rest, names: [head, ...rest] };
  });
  return {
    readUsage(response) {
      if (!isRecord(response)) return noUsage;
      let read: ReportedUsage | undefined;
      for (const { path, head, rest } of all) {
        const first = response[head];
        if (first === undefined) continue;
        const usage = rest.length === 0 ? first : valueAt(first, rest);
        if (typeof usage !== 'object' || usage === null || Array.isArray(usage)) continue;
        const found = new FoundUsage(usage, root, path);
        const one = found.isPlain ? found.plain() : usageOf(found, usage, root, path);
        read = read === undefined ? one : oneOf(read, one);
      }
      return read ?? noUsage;
    },
    doubtsOf(usage) {
      if (!isRecord(usage)) return noUsage;
      const found = new FoundUsage(usage, root, 'usage');
      return { doubts: found.doubts(), ...costIn(found) };
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

function costIn({ cost, addedPicoUsd }: FoundUsage): Pick<ReportedUsage, 'reportedCost'> {
  const picoUsd = (cost?.picoUsd ?? 0n) + addedPicoUsd;
  return picoUsd === 0n ? {} : { reportedCost: { picoUsd, name: cost?.name ?? 'usage.cost' } };
}

function usageOf(found: FoundUsage, usage: object, root: UsageNode, path: string): ReportedUsage {
  const counts = withLifetimes(reportedUsage(countsOf(found)), found);
  const turns = turnsIn(usage);
  const read =
    turns.length === 0
      ? counts
      : withTurns(
          counts,
          turns.map((turn) => countsOf(new FoundUsage(turn, root, path))),
        );
  return { ...read, ...found.parts, ...costIn(found) };
}

function countsOf(found: FoundUsage): StatedUsage & { readonly doubts: readonly Doubt[] } {
  const doubts = found.doubts();
  // Of two names of a whole one has a value that is none.
  for (const { means, path } of found.broken ?? [])
    if ((means === 'input' || means === 'output') && found.counts[means] !== undefined)
      doubts.push({ reason: 'unknown-number', name: `usage.${path}` });
  const cacheWriteInputTokens = writtenIn(found);
  const cachedInputTokens = cachedIn(found, cacheWriteInputTokens, doubts);
  const reasoningTokens = found.counts.reasoning?.value;
  const totalTokens = found.counts.total?.value;
  const cached = cachedInputTokens ?? 0;
  const written = cacheWriteInputTokens ?? 0;
  const reasoning = reasoningTokens ?? 0;
  const { input, outputTokens } = wholesIn(found, { cached, written, reasoning }, totalTokens);
  // Where such a part is stated and no whole, what was billed is unknown.
  if (isPartLost(found) || countOf(input ?? 0) === undefined)
    return { ...nothingIn, outputTokens, reasoningTokens, totalTokens, doubts };
  const uncached = found.counts.uncached?.value;
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

/** The smallest is the most expensive; some gateways also count writes as cached. */
function cachedIn(found: FoundUsage, written: number | undefined, doubts: Doubt[]) {
  const cached = found.counts.cached;
  if (cached === undefined) return undefined;
  const isSum = written !== undefined && cached.least + written === cached.value;
  if (found.hasTwoCached && !isSum) doubts.push(contradictingCached);
  return cached.least;
}

interface Parts {
  readonly cached: number;
  readonly written: number;
  readonly reasoning: number;
}

function wholesIn(found: FoundUsage, { cached, written, reasoning }: Parts, total?: number) {
  const input = found.counts.input?.value;
  const output = found.counts.output?.value;
  const isSum = total !== undefined && total === (input ?? 0) + (output ?? 0);
  const read = cached > 0 && isApart(found, 'input', ['cached']) ? cached : 0;
  const kept = written > 0 && isApart(found, 'input', writes) ? written : 0;
  const thoughts = reasoning > 0 && isApart(found, 'output', ['reasoning']) ? reasoning : 0;
  const isInputWhole = isSum && cached + written <= (input ?? 0);
  const isOutputWhole = isSum && thoughts <= (output ?? 0);
  const more = read + kept + (found.counts['more-input']?.value ?? 0);
  return {
    input: isInputWhole || input === undefined ? input : input + more,
    outputTokens: isOutputWhole || output === undefined ? output : output + thoughts,
  };
}

const writes = ['written', 'written-5m', 'written-1h'] as const;

function isApart(found: FoundUsage, whole: Whole, parts: readonly CountMeaning[]): boolean {
  let isFound = false;
  for (const means of parts)
    for (const line of found.counts[means]?.lines ?? []) {
      if (!isNextTo(found, whole, line)) return false;
      isFound = true;
    }
  return isFound;
}

type Whole = 'input' | 'output';

function isNextTo({ counts }: FoundUsage, whole: Whole, { apart }: CountLine): boolean {
  if (apart === undefined || apart === 'any') return apart === 'any';
  return counts[whole]?.lines.every((line) => line.apart === apart) !== false;
}

/** The billed input is unknown: an outside part is invalid, or has no input with it. */
function isPartLost(found: FoundUsage): boolean {
  if (found.broken === undefined && found.counts.input !== undefined) return false;
  const isNext = (line: CountLine) => isNextTo(found, 'input', line);
  const isPart = (line: CountLine) => line.means === 'cached' || line.means.startsWith('written');
  if (found.broken?.some((line) => isPart(line) && isNext(line)) === true) return true;
  if (found.counts.input !== undefined) return false;
  const parts = ['cached', ...writes] as const;
  return parts.some((means) => found.counts[means]?.lines.some(isNext));
}

const reader = createUsageReader();

export const { readUsage, doubtsOf: doubtsOfUsage, hasUsage } = reader;
