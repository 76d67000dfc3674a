import type { FinishReason, ReportedUsage } from '../model/outcome.ts';
import type { TokenCounts } from '../model/usage.ts';
import type { AnswerParts } from './surface.ts';

/** The wire cannot distinguish a stop sequence from the model's own end. */
export const finishReasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
};

/** Undefined leaves it out. */
export function chatUsage(usage: TokenCounts, reported: AnswerParts['reportedUsage']) {
  if (reported === 'absent') return undefined;
  if (reported === undefined) return trueUsage(usage);
  return chatCounts(reported);
}

export function chatCounts({ inputTokens, outputTokens }: ReportedUsage) {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens };
}

/** Only details that exist: the platform often sends none. */
function trueUsage(usage: TokenCounts) {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens } = usage;
  const totals = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
  const cache = { cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteInputTokens };
  const reasoning = { reasoning_tokens: usage.reasoningTokens };
  return {
    ...totals,
    ...(cachedInputTokens + cacheWriteInputTokens > 0 ? { prompt_tokens_details: cache } : {}),
    ...(usage.reasoningTokens > 0 ? { completion_tokens_details: reasoning } : {}),
  };
}
