import type { Usage } from '@model-gateway/contract';
import type { Attempt } from '../../books/rows.ts';
import { formatUsd } from '../../lib/money.ts';

/** One attempt of a finished call. */
export interface AttemptDocument {
  readonly startedAt: string;
  readonly tookMs: number;
  /** `answered`, or the code that the attempt failed with. */
  readonly outcome: string;
  /** Null when no answer came. */
  readonly status: number | null;
  /** The platform's id of the request; null when it gave none. */
  readonly requestId: string | null;
  readonly model: string;
  /** The version of its price; null for a model without one. */
  readonly priceVersion: string | null;
  /** The platform's counts; zeros where there are none that can be believed. */
  readonly usage: Usage;
  readonly costUsd: string;
  /** True when `costUsd` is the most that it could have cost. */
  readonly estimated: boolean;
  /** Why it is an estimate; null where it is not, and where it was not noted. */
  readonly estimateReason: string | null;
}

/** An attempt, as `calls show` tells of it. */
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
