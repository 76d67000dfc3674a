import { countOf, fieldOf, isRecord } from '../../../lib/json-value.ts';
import { hasUsage, readUsage as readAll } from '../../evidence/read-usage.ts';
import type { ReportedUsage } from '../../model/port.ts';

/** Embeddings have no output; some servers state only the total. */
export function readUsage(body: unknown): ReportedUsage {
  const usage = readAll(body);
  if (!hasUsage(body)) return usage;
  const { outputTokens = 0 } = usage;
  return { ...usage, inputTokens: usage.inputTokens ?? totalIn(body), outputTokens };
}

function totalIn(body: unknown): number | undefined {
  return isRecord(body) ? countOf(fieldOf(body.usage, 'total_tokens')) : undefined;
}
