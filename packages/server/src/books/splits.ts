import type { Attempt, CallRecord, Counts } from './rows.ts';
import { isUnpriced } from './usage.ts';

export interface UsageSums extends Counts {
  readonly calls: number;
  readonly errors: number;
  readonly cacheWrite1hInputTokens: number;
  readonly cost: bigint;
  readonly estimated: bigint;
  readonly corrected: bigint;
  /** Part of `cost` from models without a price, whichever other parts it belongs to. */
  readonly unpriced: bigint;
  readonly unpricedCalls: number;
}

/** One call's part of one model of one platform; `''` if unknown. */
export interface CallSplit extends UsageSums {
  readonly callId: string;
  readonly day: string;
  readonly app: string;
  readonly model: string;
  readonly platform: string;
  readonly keyId: string;
  readonly userId: string;
}

/** Attempts count under their own models, as in `usageOf`. `sign` −1 subtracts. */
export function splitsOf(
  call: CallRecord,
  attempts: readonly Attempt[],
  sign: 1 | -1,
): readonly CallSplit[] {
  const own = partOf(call, call, { calls: 1, sign });
  if (attempts.length === 0) return [own];
  const attributed = { ...call, cost: 0n, estimated: 0n };
  const parts = attempts.map((attempt) => {
    const estimated = attempt.basis === 'estimated' ? attempt.cost : 0n;
    attributed.cost += attempt.cost;
    attributed.estimated += estimated;
    return partOf(call, { ...attempt, estimated }, { calls: 0, sign });
  });
  return [own, ...parts, partOf(call, attributed, { calls: 0, sign: sign === 1 ? -1 : 1 })];
}

type BookedPart = Pick<
  CallRecord,
  'usageModel' | 'platform' | 'priceVersion' | 'tokens' | 'cost' | 'estimated' | 'basis'
>;

function partOf(
  call: CallRecord,
  { usageModel, platform, priceVersion, tokens, cost, estimated, basis }: BookedPart,
  { calls, sign }: { readonly calls: 0 | 1; readonly sign: 1 | -1 },
): CallSplit {
  const money = BigInt(sign);
  const unpriced = isUnpriced(priceVersion);
  return {
    callId: call.callId,
    day: call.day,
    app: call.app,
    model: usageModel,
    platform: platform ?? '',
    keyId: call.keyId ?? '',
    userId: call.userId ?? '',
    calls: calls * sign,
    errors: call.code === 'OK' ? 0 : calls * sign,
    inputTokens: tokens.inputTokens * sign,
    cachedInputTokens: tokens.cachedInputTokens * sign,
    cacheWriteInputTokens: tokens.cacheWriteInputTokens * sign,
    outputTokens: tokens.outputTokens * sign,
    reasoningTokens: tokens.reasoningTokens * sign,
    cacheWrite1hInputTokens: (tokens.cacheWrite1hInputTokens ?? 0) * sign,
    cost: cost * money,
    estimated: estimated * money,
    corrected: basis === 'corrected' ? (cost - estimated) * money : 0n,
    unpriced: unpriced ? cost * money : 0n,
    unpricedCalls: unpriced ? calls * sign : 0,
  };
}

export function addSums<Sums extends UsageSums>(a: Sums, b: UsageSums): Sums {
  return {
    ...a,
    calls: a.calls + b.calls,
    errors: a.errors + b.errors,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteInputTokens: a.cacheWriteInputTokens + b.cacheWriteInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cacheWrite1hInputTokens: a.cacheWrite1hInputTokens + b.cacheWrite1hInputTokens,
    cost: a.cost + b.cost,
    estimated: a.estimated + b.estimated,
    corrected: a.corrected + b.corrected,
    unpriced: a.unpriced + b.unpriced,
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  };
}
