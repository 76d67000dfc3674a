import type { Doubt } from '../../domain/doubt.ts';
import { countOf, fieldOf, isRecord } from '../../lib/json-value.ts';
import { reportedUsage } from '../evidence/reported-usage.ts';
import type { ReportedUsage } from '../port.ts';

/**
 * The token counts of a chat completion. Cached tokens have three names: OpenAI's detail,
 * DeepSeek's `prompt_cache_hit_tokens` and Moonshot's `cached_tokens`. Where two differ, the
 * smallest is the most expensive reading.
 */
export function readUsage(body: unknown): ReportedUsage {
  const stated = fieldOf(body, 'usage');
  const usage = isRecord(stated) ? stated : nothing;
  const { prompt_cache_hit_tokens: hit, cached_tokens: cached } = usage;
  const inputTokens = usage.prompt_tokens;
  const input = usage.prompt_tokens_details;
  const cachedInputTokens = fieldOf(input, 'cached_tokens');
  const hasOtherNames = hit !== undefined || cached !== undefined;
  return reportedUsage({
    ...{ inputTokens, cachedInputTokens },
    ...(hasOtherNames && cachedIn(usage, [cachedInputTokens, hit, cached])),
    cacheWriteInputTokens: fieldOf(input, 'cache_write_tokens'),
    outputTokens: usage.completion_tokens,
    reasoningTokens: fieldOf(usage.completion_tokens_details, 'reasoning_tokens'),
    totalTokens: usage.total_tokens,
  });
}

const nothing: Readonly<Record<string, unknown>> = {};

/** Cached tokens of several names, and DeepSeek's two parts of the input, which make the whole. */
function cachedIn(usage: unknown, names: readonly unknown[]) {
  const cached = names.map(countOf).filter((count) => count !== undefined);
  const cachedInputTokens = cached.length === 0 ? undefined : Math.min(...cached);
  const inputTokens = countOf(fieldOf(usage, 'prompt_tokens'));
  const [, hit] = names.map(countOf);
  const miss = countOf(fieldOf(usage, 'prompt_cache_miss_tokens'));
  const doubts: Doubt[] = [];
  if (cached.some((count) => count !== cachedInputTokens)) {
    doubts.push({ reason: 'contradicting-counts', name: 'usage.cached_tokens' });
  }
  if (inputTokens === undefined || hit === undefined || miss === undefined)
    return { inputTokens, cachedInputTokens, doubts };
  if (hit + miss !== inputTokens) {
    doubts.push({ reason: 'contradicting-counts', name: 'usage.prompt_cache_miss_tokens' });
  }
  return { inputTokens: Math.max(inputTokens, hit + miss), cachedInputTokens, doubts };
}
