import type { Attempt, CallRecord, Counts, Tokens, UsageDay } from '../../src/books/rows.ts';

/** The day's rollup, computed only from the calls, and from the attempts of calls with several. */
export function usageOf(
  calls: readonly CallRecord[],
  attempts: readonly Attempt[],
): readonly UsageDay[] {
  const parts = calls.flatMap((call) => {
    const own = attempts.filter(({ callId }) => callId === call.callId);
    const counted = partOf(call, {
      calls: 1,
      errors: call.code === 'OK' ? 0 : 1,
      unpricedCalls:
        call.priceVersion === undefined || call.priceVersion.startsWith('dearest-') ? 1 : 0,
    });
    if (own.length > 0) return [counted, ...own.map((row) => attemptPart(call, row))];
    const { tokens, cost, estimated } = call;
    return [counted, partOf(call, { ...countsOf(tokens), cost, estimated })];
  });
  const groups = Map.groupBy(parts, ({ app, day, model }) => `${app} ${day} ${model}`);
  return [...groups.values()].map((group) => group.reduce(added));
}

function attemptPart(call: CallRecord, row: Attempt): UsageDay {
  const { tokens, cost, usageModel: model } = row;
  const estimated = row.basis === 'estimated' ? cost : 0n;
  return partOf(call, { ...countsOf(tokens), model, cost, estimated });
}

/** The cache lifetime of input is not part of a day's usage. */
function countsOf({ cacheWrite1hInputTokens: _, ...counts }: Tokens): Counts {
  return counts;
}

function partOf(call: CallRecord, more: Partial<UsageDay>): UsageDay {
  const { app, day, usageModel: model } = call;
  return {
    ...{ app, day, model, calls: 0, errors: 0 },
    ...{ inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
    ...{ outputTokens: 0, reasoningTokens: 0, cost: 0n, estimated: 0n, unpricedCalls: 0 },
    ...more,
  };
}

function added(a: UsageDay, b: UsageDay): UsageDay {
  return {
    ...{ app: a.app, day: a.day, model: a.model },
    ...{ calls: a.calls + b.calls, errors: a.errors + b.errors },
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteInputTokens: a.cacheWriteInputTokens + b.cacheWriteInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    ...{ cost: a.cost + b.cost, estimated: a.estimated + b.estimated },
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  };
}
