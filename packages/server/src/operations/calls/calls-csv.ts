import { firstCallIdAt, madeAt } from '../../lib/id.ts';
import { csvLine } from '../../reports/csv.ts';
import { AdminError } from '../context/admin-error.ts';
import type { AdminContext } from '../context/context.ts';
import type { CallSummary } from '../documents/calls-pages.ts';
import { type CallSearch, findCalls } from './find-calls.ts';

const columns = [
  ...(['id', 'startedAt', 'app', 'keyId', 'userId', 'model', 'platform', 'code'] as const),
  ...(['costUsd', 'estimatedUsd', 'basis'] as const),
] as const satisfies readonly (keyof CallSummary)[];
const tokens = [
  ...(['inputTokens', 'cachedInputTokens', 'cacheWriteInputTokens'] as const),
  ...(['outputTokens', 'reasoningTokens'] as const),
] as const satisfies readonly (keyof CallSummary['usage'])[];
const others = ['tookMs', 'firstMs', 'attempts'] as const satisfies readonly (keyof CallSummary)[];
const amounts: ReadonlySet<string> = new Set(['costUsd', 'estimatedUsd']);

const pageCalls = 1_000;
/** About 30 MB of text: more is too large for a spreadsheet. */
const callsMax = 200_000;

/**
 * Newest first. `mask` hides names from the reader; `onShare` gets the share of time searched.
 * Throws an AdminError for more than `callsMax` calls.
 */
export async function callsCsv(
  context: AdminContext,
  search: Omit<CallSearch, 'after' | 'limit'> & { readonly since: number; readonly until: number },
  parts: {
    readonly mask: (call: CallSummary) => CallSummary;
    readonly onShare: (share: number) => void;
  },
): Promise<{ readonly text: string; readonly calls: number }> {
  const lines: string[] = [csvLine([...columns, ...tokens, ...others])];
  let after: string | undefined = firstCallIdAt(
    Math.min(search.until, context.clock.now()) + 3_600_000,
  );
  let calls = 0;
  while (after !== undefined) {
    const page = await findCalls(context, { ...search, after, limit: pageCalls });
    calls += page.calls.length;
    if (calls > callsMax) {
      throw new AdminError(`more than ${callsMax} calls match; use a shorter time range`);
    }
    lines.push(...page.calls.map((call) => lineOf(parts.mask(call))));
    after = page.after ?? undefined;
    if (after === undefined) continue;
    parts.onShare((search.until - madeAt(after)) / (search.until - search.since));
  }
  return { text: `${lines.join('\n')}\n`, calls };
}

function lineOf(call: CallSummary): string {
  const number = (value: number | null) => (value === null ? '' : { number: String(value) });
  return csvLine([
    ...columns.map((column) => {
      const value = call[column] ?? '';
      return amounts.has(column) ? { number: value } : value;
    }),
    ...tokens.map((column) => number(call.usage[column])),
    ...others.map((column) => number(call[column])),
  ]);
}
