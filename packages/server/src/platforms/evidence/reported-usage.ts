import { type Doubt, noDoubts } from '../../domain/doubt.ts';
import { countOf } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../model/port.ts';

/** What an answer states of each count, and of all of them together: each of them anything. */
export type StatedUsage = Record<keyof Counts, unknown> & {
  /** Input and output together; undefined where the wire has no such count. */
  readonly totalTokens?: unknown;
  /** Statements of the same response that contradict each other, as far as the wire knows. */
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
 * The counts that an answer states, none of them less than its other counts say. Makers differ in
 * what a count includes, and the total shows it: xAI leaves reasoning out of the output, Gemini's
 * OpenAI surface leaves thinking out and mostly does not say how much it was, and some servers
 * leave cached tokens out of the input. Source: ADR 0023.
 */
export function reportedUsage(stated: StatedUsage): ReportedUsage {
  return fittedUsage(
    {
      inputTokens: countOf(stated.inputTokens),
      cachedInputTokens: countOf(stated.cachedInputTokens),
      cacheWriteInputTokens: countOf(stated.cacheWriteInputTokens),
      outputTokens: countOf(stated.outputTokens),
      reasoningTokens: countOf(stated.reasoningTokens),
    },
    countOf(stated.totalTokens),
    stated.doubts,
  );
}

/** The same of counts that are some. */
export function fittedUsage(
  counts: Counts,
  totalTokens: number | undefined,
  doubts: readonly Doubt[] = noDoubts,
): ReportedUsage {
  const { inputTokens, outputTokens = 0 } = counts;
  // By how much the total is above input and output.
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
/** A part that is above its whole. */
export const impossibleCounts: Doubt = { reason: 'impossible-counts', name: 'usage' };

/** The same counts with more doubts. */
export function withDoubts(usage: ReportedUsage, doubts: readonly Doubt[]): ReportedUsage {
  return doubts.length === 0 ? usage : { ...usage, doubts: [...usage.doubts, ...doubts] };
}

/** Whether counts have a doubt of this reason. */
export function isInDoubt({ doubts }: Pick<ReportedUsage, 'doubts'>, reason: Doubt['reason']) {
  return doubts.some((doubt) => doubt.reason === reason);
}

/** What the details explain is exact; what they do not is output, the dearest that it can be. */
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
 * Parts that are more than their whole were left out of it, as far as can be told: then the
 * least that was billed is their sum.
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

/** Whether counts are stated, and all of them are 0. */
export function isAllZero({ inputTokens, outputTokens }: ReportedUsage): boolean {
  const isStated = inputTokens !== undefined || outputTokens !== undefined;
  return isStated && (inputTokens ?? 0) === 0 && (outputTokens ?? 0) === 0;
}
