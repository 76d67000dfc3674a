import { fieldOf } from '../../lib/json-value.ts';
import { reportedUsage } from '../evidence/reported-usage.ts';
import type { ReportedUsage } from '../port.ts';

/** The token counts of a response. Source: platforms, 1.8, "usage fields". */
export function readUsage(body: unknown): ReportedUsage {
  const usage = fieldOf(body, 'usage');
  const input = fieldOf(usage, 'input_tokens_details');
  const output = fieldOf(usage, 'output_tokens_details');
  return reportedUsage({
    inputTokens: fieldOf(usage, 'input_tokens'),
    cachedInputTokens: fieldOf(input, 'cached_tokens'),
    cacheWriteInputTokens: fieldOf(input, 'cache_write_tokens'),
    outputTokens: fieldOf(usage, 'output_tokens'),
    reasoningTokens: fieldOf(output, 'reasoning_tokens'),
    totalTokens: fieldOf(usage, 'total_tokens'),
  });
}
