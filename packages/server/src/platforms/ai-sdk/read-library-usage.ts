import { fieldOf } from '../../lib/json-value.ts';
import { doubtsOfUsage } from '../evidence/read-usage.ts';
import { reportedUsage } from '../evidence/reported-usage.ts';
import type { ReportedUsage } from '../model/port.ts';

/**
 * Many libraries report 0 for a missing count, so a total of 0 is dropped. A call that might have
 * been billed must never be booked as free.
 */
export function readLibraryUsage(usage: unknown): ReportedUsage {
  const input = fieldOf(usage, 'inputTokens');
  const output = fieldOf(usage, 'outputTokens');
  const raw = fieldOf(usage, 'raw');
  const { doubts, reportedCost } = doubtsOfUsage(raw);
  const counts = reportedUsage({
    inputTokens: notZero(fieldOf(input, 'total')),
    cachedInputTokens: fieldOf(input, 'cacheRead'),
    cacheWriteInputTokens: fieldOf(input, 'cacheWrite'),
    outputTokens: notZero(fieldOf(output, 'total')),
    reasoningTokens: fieldOf(output, 'reasoning'),
    totalTokens: totalIn(raw),
    doubts,
  });
  return reportedCost === undefined ? counts : { ...counts, reportedCost };
}

/** Some libraries omit reasoning from the output, so this reads the platform's own total. */
function totalIn(raw: unknown): unknown {
  const names = ['total_tokens', 'totalTokens', 'totalTokenCount'];
  return names.map((name) => fieldOf(raw, name)).find((total) => total !== undefined);
}

function notZero(count: unknown): unknown {
  return count === 0 ? undefined : count;
}
