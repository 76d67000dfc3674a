import type { Bound } from '../admission/bound.ts';
import type { Price } from '../catalog/catalog.ts';
import { cost } from '../catalog/cost.ts';
import type { Tokens } from '../ledger/core/rows.ts';
import type { AttemptOutcome, ReportedUsage } from '../platforms/port.ts';

/** One attempt of a call, as the call's record keeps it. */
export interface AttemptRecord {
  readonly outcome: AttemptOutcome;
  readonly startedAt: number;
  readonly tookMs: number;
  /** Pico-USD that it is booked with. */
  readonly cost: bigint;
  /** True when `cost` is the most that it could have cost. */
  readonly isEstimated: boolean;
  /** The platform's counts, where they may be believed. */
  readonly tokens: Tokens | undefined;
}

/**
 * The platform's counts when they are plausible: every one an integer of at least 0, no more input
 * than the bound, no more than twice the output that was asked for. Otherwise they are missing.
 */
export function believedTokens(usage: ReportedUsage, bound: Bound): Tokens | undefined {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  if (inputTokens > bound.inputTokens || outputTokens > bound.outputTokens * 2) return undefined;
  const cachedInputTokens = usage.cachedInputTokens ?? 0;
  const cacheWriteInputTokens = usage.cacheWriteInputTokens ?? 0;
  if (cachedInputTokens + cacheWriteInputTokens > inputTokens) return undefined;
  const reasoningTokens = Math.min(usage.reasoningTokens ?? 0, outputTokens);
  return { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens, reasoningTokens };
}

/**
 * What an attempt is booked with. One that may have been billed is never booked as free: without
 * counts that can be believed it costs the most that it could. Source: ledger, "who pays".
 */
export function bookAttempt(parts: {
  readonly outcome: AttemptOutcome;
  readonly bound: Bound;
  readonly price: Price | undefined;
  readonly startedAt: number;
  readonly tookMs: number;
}): AttemptRecord {
  const { outcome, bound, price, startedAt, tookMs } = parts;
  const record = { outcome, startedAt, tookMs };
  const tokens = outcome.usage === undefined ? undefined : believedTokens(outcome.usage, bound);
  if (outcome.kind === 'failed' && outcome.billed === 'no') {
    return { ...record, cost: 0n, isEstimated: false, tokens: undefined };
  }
  if (tokens === undefined) {
    return { ...record, cost: bound.amountPicoUsd, isEstimated: true, tokens };
  }
  const amount = price === undefined ? 0n : cost(tokens, price);
  return { ...record, cost: amount, isEstimated: false, tokens };
}

/** The attempts as JSON text, for the call's record: no prompt, no answer, no platform text. */
export function attemptsJson(attempts: readonly AttemptRecord[]): string {
  const rows = attempts.map(({ outcome, startedAt, tookMs, cost: amount, isEstimated }) => ({
    startedAt,
    tookMs: Math.round(tookMs),
    outcome: outcome.kind === 'answered' ? 'answered' : outcome.code,
    status: outcome.kind === 'answered' ? 200 : outcome.status,
    requestId: outcome.requestId,
    costPicoUsd: String(amount),
    isEstimated,
  }));
  return JSON.stringify(rows);
}
