import type { ReportedUsage } from './port.ts';

/** What an answer states of each count, and of all of them together: each of them anything. */
export type StatedUsage = Record<keyof Counts, unknown> & {
  /** Input and output together; undefined where the wire has no such count. */
  readonly totalTokens?: unknown;
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
  const counts = {
    inputTokens: countOf(stated.inputTokens),
    cachedInputTokens: countOf(stated.cachedInputTokens),
    cacheWriteInputTokens: countOf(stated.cacheWriteInputTokens),
    outputTokens: countOf(stated.outputTokens),
    reasoningTokens: countOf(stated.reasoningTokens),
  };
  const surplus = surplusOf(counts, countOf(stated.totalTokens));
  return surplus > 0 ? withSurplus(counts, surplus) : withWholeParts(counts);
}

/** By how much the total is above input and output. */
function surplusOf({ inputTokens, outputTokens }: Counts, totalTokens: number | undefined): number {
  if (totalTokens === undefined || inputTokens === undefined) return 0;
  return Math.max(0, totalTokens - inputTokens - (outputTokens ?? 0));
}

/** What the details explain is exact; what they do not is output, the dearest that it can be. */
function withSurplus(counts: Counts, surplus: number): ReportedUsage {
  const { inputTokens = 0, outputTokens = 0, reasoningTokens } = counts;
  if (cachedIn(counts) === surplus && surplus > inputTokens) {
    return withWholeParts({ ...counts, inputTokens: inputTokens + surplus });
  }
  const usage = withWholeParts({ ...counts, outputTokens: outputTokens + surplus });
  const isExplained = counts.outputTokens !== undefined && reasoningTokens === surplus;
  if (isExplained || usage.consistency === 'contradiction') return usage;
  return { ...usage, consistency: 'surplus' };
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
  if (isInput && isOutput) return { ...counts, consistency: 'exact' };
  return {
    ...counts,
    inputTokens: isInput ? inputTokens : inputTokens + cached,
    outputTokens: isOutput ? outputTokens : outputTokens + reasoningTokens,
    consistency: 'contradiction',
  };
}

function cachedIn({ cachedInputTokens = 0, cacheWriteInputTokens = 0 }: Counts): number {
  return cachedInputTokens + cacheWriteInputTokens;
}

/** A string, a fraction, a negative or one beyond 2^53 is no count. Zero is. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
