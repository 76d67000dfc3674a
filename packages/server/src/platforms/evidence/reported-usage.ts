import { type Doubt, noDoubts } from '../../domain/doubt.ts';
import { countOf } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../model/port.ts';

/** Values are unchecked. */
export type RawUsage = Record<keyof Counts, unknown> & {
  readonly totalTokens?: unknown;
  readonly doubts?: readonly Doubt[];
};

interface Counts {
  readonly inputTokens: number | undefined;
  readonly cachedInputTokens: number | undefined;
  readonly cacheWriteInputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly reasoningTokens: number | undefined;
}

/**
 * No count is less than the others imply. The total reveals what vendors omit: xAI reasoning from
 * output, Gemini's OpenAI wire format thinking, some servers cached tokens from input. Source: ADR
 * 0023.
 */
export function reportedUsage(raw: RawUsage): ReportedUsage {
  return fittedUsage(
    {
      inputTokens: countOf(raw.inputTokens),
      cachedInputTokens: countOf(raw.cachedInputTokens),
      cacheWriteInputTokens: countOf(raw.cacheWriteInputTokens),
      outputTokens: countOf(raw.outputTokens),
      reasoningTokens: countOf(raw.reasoningTokens),
    },
    countOf(raw.totalTokens),
    raw.doubts,
  );
}

export function fittedUsage(
  counts: Counts,
  totalTokens: number | undefined,
  doubts: readonly Doubt[] = noDoubts,
): ReportedUsage {
  const { inputTokens, outputTokens = 0 } = counts;
  // The total minus input and output.
  const surplus =
    totalTokens === undefined || inputTokens === undefined
      ? 0
      : totalTokens - inputTokens - outputTokens;
  const usage = surplus > 0 ? withSurplus(counts, surplus) : withWholeParts(counts);
  if (surplus >= 0 && doubts.length === 0) return usage;
  return withDoubts(usage, surplus < 0 ? [...doubts, tooSmallTotal] : doubts);
}

const tooSmallTotal: Doubt = { reason: 'contradicting-counts', name: 'usage.total_tokens' };
const unexplainedTotal: Doubt = { reason: 'unexplained-total', name: 'usage.total_tokens' };
export const impossibleCounts: Doubt = { reason: 'impossible-counts', name: 'usage' };

export function withDoubts(usage: ReportedUsage, doubts: readonly Doubt[]): ReportedUsage {
  return doubts.length === 0 ? usage : { ...usage, doubts: [...usage.doubts, ...doubts] };
}

export function isInDoubt({ doubts }: Pick<ReportedUsage, 'doubts'>, reason: Doubt['reason']) {
  return doubts.some((doubt) => doubt.reason === reason);
}

/** Surplus without an explanation counts as output, the most expensive kind. */
function withSurplus(counts: Counts, surplus: number): ReportedUsage {
  const { inputTokens = 0, outputTokens = 0, reasoningTokens } = counts;
  if (cachedIn(counts) === surplus && surplus > inputTokens) {
    return withWholeParts({ ...counts, inputTokens: inputTokens + surplus });
  }
  const usage = withWholeParts({ ...counts, outputTokens: outputTokens + surplus });
  const isExplained = counts.outputTokens !== undefined && reasoningTokens === surplus;
  return isExplained ? usage : withDoubts(usage, [unexplainedTotal]);
}

/**
 * Parts above their whole were probably omitted from it, so the sum is the minimum that was billed.
 */
function withWholeParts(counts: Counts): ReportedUsage {
  const { inputTokens, outputTokens, reasoningTokens = 0 } = counts;
  const cached = cachedIn(counts);
  const isInput = inputTokens === undefined || cached <= inputTokens;
  const isOutput = outputTokens === undefined || reasoningTokens <= outputTokens;
  if (isInput && isOutput) return { ...counts, doubts: noDoubts };
  return {
    ...counts,
    inputTokens: isInput ? inputTokens : inputTokens + cached,
    outputTokens: isOutput ? outputTokens : outputTokens + reasoningTokens,
    doubts: [impossibleCounts],
  };
}

function cachedIn({ cachedInputTokens = 0, cacheWriteInputTokens = 0 }: Counts): number {
  return cachedInputTokens + cacheWriteInputTokens;
}

export function isAllZero({ inputTokens, outputTokens }: ReportedUsage): boolean {
  const isReported = inputTokens !== undefined || outputTokens !== undefined;
  return isReported && (inputTokens ?? 0) === 0 && (outputTokens ?? 0) === 0;
}
