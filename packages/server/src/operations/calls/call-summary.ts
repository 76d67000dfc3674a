import { lostCode } from '../../books/expire.ts';
import type { CallRecord } from '../../books/rows.ts';
import { formatUsd } from '../../lib/money.ts';
import type { Store } from '../../store/port/port.ts';
import { selectAttemptCounts } from '../../store/queries/attempted-calls.ts';
import { lostRoute } from '../../store/queries/ledger.ts';
import type { CallSummary } from '../documents/calls-pages.ts';
import { hasAttemptRows, recordedAttempts } from './call-attempts.ts';

/** Calls with no attempt, or several, need one more read. */
export async function summarizeCalls(
  store: Pick<Store, 'read'>,
  calls: readonly CallRecord[],
): Promise<readonly CallSummary[]> {
  const ids = calls.filter(hasAttemptRows).map(({ callId }) => callId);
  const counts = ids.length === 0 ? new Map() : await store.read(selectAttemptCounts(ids));
  return calls.map((call) => ({
    ...lineOf(call),
    attempts: hasAttemptRows(call)
      ? (counts.get(call.callId) ?? noAttempts(call))
      : recordedAttempts(call).length,
  }));
}

/** Null where the process ended before recording attempts. */
function noAttempts({ code, route }: CallRecord): number | null {
  return code === lostCode || route === lostRoute ? null : 0;
}

function lineOf(call: CallRecord): Omit<CallSummary, 'attempts'> {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens } = call.tokens;
  const { outputTokens, reasoningTokens } = call.tokens;
  return {
    id: call.callId,
    startedAt: new Date(call.startedAt).toISOString(),
    app: call.app,
    keyId: call.keyId ?? null,
    userId: call.userId ?? null,
    model: call.model,
    platform: call.platform ?? null,
    code: call.code,
    costUsd: formatUsd(call.cost),
    estimatedUsd: formatUsd(call.estimated),
    basis: call.basis,
    usage: {
      ...{ inputTokens, cachedInputTokens, cacheWriteInputTokens },
      ...{ outputTokens, reasoningTokens },
    },
    ...timesOf(call),
  };
}

/** A clock set back must not cause a negative duration. */
export function timesOf({
  startedAt,
  endedAt,
  firstMs,
}: Pick<CallRecord, 'startedAt' | 'endedAt' | 'firstMs'>) {
  return { tookMs: Math.max(0, endedAt - startedAt), firstMs: firstMs ?? null };
}
