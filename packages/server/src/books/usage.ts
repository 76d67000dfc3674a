import type { Attempt, CallRecord, Tokens, UsageDay } from './rows.ts';

/** Prefix of the version of a price that replaces an unknown price. */
const highestPricePrefix = 'dearest-';

export function priceVersionOf(price: {
  readonly version: string;
  readonly isHighestKnown?: true;
}): string {
  return price.isHighestKnown === true ? `${highestPricePrefix}${price.version}` : price.version;
}

export function isUnpriced(priceVersion: string | undefined): boolean {
  return priceVersion === undefined || priceVersion.startsWith(highestPricePrefix);
}

export const noTokens: Tokens = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/**
 * A day's rollup is the sum of this over all calls. Attempts count under their own models. The call
 * keeps what its attempt rows do not explain: only a correction by an older version leaves any.
 */
export function usageOf(
  call: CallRecord,
  attempts: readonly Attempt[] | undefined,
): readonly UsageDay[] {
  const { app, day, usageModel: model, tokens, cost, estimated } = call;
  // Every call passes here, and a literal is faster than spreads.
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
  const attributed = { ...none, ...tokens, model, cost: 0n, estimated: 0n };
  for (const row of rows) {
    attributed.cost += row.cost;
    attributed.estimated += row.estimated;
  }
  return [own, ...rows, negated(attributed)];
}

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
