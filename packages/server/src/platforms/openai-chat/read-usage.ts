import { fieldOf } from '../../lib/json-value.ts';
import type { ReportedUsage } from '../port.ts';
import { reportedUsage } from '../reported-usage.ts';

/**
 * The token counts of a chat completion. Cached tokens have three names: OpenAI's detail,
 * DeepSeek's `prompt_cache_hit_tokens` and Moonshot's `cached_tokens`.
 */
export function readUsage(body: unknown): ReportedUsage {
  const usage = fieldOf(body, 'usage');
  const input = fieldOf(usage, 'prompt_tokens_details');
  const output = fieldOf(usage, 'completion_tokens_details');
  return reportedUsage({
    inputTokens: fieldOf(usage, 'prompt_tokens'),
    cachedInputTokens:
      fieldOf(input, 'cached_tokens') ??
      fieldOf(usage, 'prompt_cache_hit_tokens') ??
      fieldOf(usage, 'cached_tokens'),
    cacheWriteInputTokens: fieldOf(input, 'cache_write_tokens'),
    outputTokens: fieldOf(usage, 'completion_tokens'),
    reasoningTokens: fieldOf(output, 'reasoning_tokens'),
    totalTokens: fieldOf(usage, 'total_tokens'),
  });
}
