import type { Attempt, CallRecord, Tokens, UsageDay } from './rows.ts';

/** How the version of a price begins that stands in for one that is not known. */
const dearestPrefix = 'dearest-';

/** The version of a price as calls and the store know it. */
export function priceVersionOf(price: {
  readonly version: string;
  readonly isDearest?: true;
}): string {
  return price.isDearest === true ? `${dearestPrefix}${price.version}` : price.version;
}

/** Whether a call was made of a model without a price: it counts as nothing, or at the dearest. */
export function isUnpriced(priceVersion: string | undefined): boolean {
  return priceVersion === undefined || priceVersion.startsWith(dearestPrefix);
}

/** The counts of a call that used none, or whose counts cannot be believed. */
export const noTokens: Tokens = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/**
 * What one call adds to its day's rollup, which is the sum of this over all calls. Attempts count
 * under their own models. Where they are rows, the call gives up what they have, and keeps what
 * they do not explain: nothing, unless a version that knows no such rows has corrected it.
 */
export function usageOf(
  call: CallRecord,
  attempts: readonly Attempt[] | undefined,
): readonly UsageDay[] {
  const { app, day, usageModel: model, tokens, cost, estimated } = call;
  // Every call passes here, and a literal takes less than spreads do.
  const own = {
    app,
    day,
    model,
    calls: 1,
    errors: call.code === 'OK' ? 0 : 1,
    inputTokens: tokens.inputTokens,
    cachedInputTokens: tokens.cachedInputTokens,
    cacheWriteInputTokens: tokens.cacheWriteInputTokens,
    outputTokens: tokens.outputTokens,
    reasoningTokens: tokens.reasoningTokens,
    cost,
    estimated,
    unpricedCalls: isUnpriced(call.priceVersion) ? 1 : 0,
  };
  if (attempts === undefined || attempts.length === 0) return [own];
  const none = { app, day, calls: 0, errors: 0, unpricedCalls: 0 };
  const rows = attempts.map((attempt) => ({
    ...{ ...none, ...attempt.tokens, model: attempt.usageModel, cost: attempt.cost },
    estimated: attempt.basis === 'estimated' ? attempt.cost : 0n,
  }));
  const given = { ...none, ...tokens, model, cost: 0n, estimated: 0n };
  for (const row of rows) {
    given.cost += row.cost;
    given.estimated += row.estimated;
  }
  return [own, ...rows, negated(given)];
}

/** The same, to be taken away. */
export function negated(usage: UsageDay): UsageDay {
  return {
    app: usage.app,
    day: usage.day,
    model: usage.model,
    calls: -usage.calls,
    errors: -usage.errors,
    inputTokens: -usage.inputTokens,
    cachedInputTokens: -usage.cachedInputTokens,
    cacheWriteInputTokens: -usage.cacheWriteInputTokens,
    outputTokens: -usage.outputTokens,
    reasoningTokens: -usage.reasoningTokens,
    cost: -usage.cost,
    estimated: -usage.estimated,
    unpricedCalls: -usage.unpricedCalls,
  };
}
