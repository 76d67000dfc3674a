import type { Attempt } from '../../books/rows.ts';
import { formatUsd } from '../../lib/money.ts';
import type { AttemptDocument } from '../documents/calls.ts';

export function attemptDocument(attempt: Attempt): AttemptDocument {
  const { startedAt, tookMs, outcome, status, model, tokens: usage } = attempt;
  return {
    startedAt: new Date(startedAt).toISOString(),
    ...{ tookMs, outcome },
    status: status ?? null,
    requestId: attempt.upstreamId ?? null,
    model,
    priceVersion: attempt.priceVersion ?? null,
    usage,
    costUsd: formatUsd(attempt.cost),
    estimated: attempt.basis === 'estimated',
    estimateReason: attempt.estimateReason ?? null,
  };
}
