import { fieldOf, isRecord } from '../../lib/json-value.ts';
import { reportedUsage } from '../evidence/reported-usage.ts';
import type { ReportedUsage } from '../port.ts';

/** The token counts of embeddings, which write nothing: some servers state the total alone. */
export function readUsage(body: unknown): ReportedUsage {
  const usage = fieldOf(body, 'usage');
  const totalTokens = fieldOf(usage, 'total_tokens');
  return reportedUsage({
    inputTokens: fieldOf(usage, 'prompt_tokens') ?? totalTokens,
    cachedInputTokens: fieldOf(fieldOf(usage, 'prompt_tokens_details'), 'cached_tokens'),
    cacheWriteInputTokens: undefined,
    outputTokens: fieldOf(usage, 'completion_tokens') ?? (isRecord(usage) ? 0 : undefined),
    reasoningTokens: undefined,
    totalTokens,
  });
}
