import { createKeyOf } from './key-of.ts';
import { addCorrections, type MonthCorrection } from './month-correction.ts';
import type { Attempt, CallRecord, UsageDay } from './rows.ts';
import { addSums, type CallSplit, splitsOf } from './splits.ts';
import { negated, usageOf } from './usage.ts';

/**
 * Changes of calls before `closedUntil` are also recorded as adjustments, apart from the rollups.
 */
export function createSums(closedUntil: string | undefined) {
  const keyOf = createKeyOf();
  const usage = new Map<string, UsageDay>();
  const adjustments = new Map<string, CallSplit>();
  const corrections = new Map<string, MonthCorrection>();
  return {
    add(call: CallRecord, attempts: readonly Attempt[] | undefined) {
      for (const delta of usageOf(call, attempts)) addUsage(delta);
      if (isClosed(call)) addAdjustment(call, attempts, 1);
    },
    take(call: CallRecord, attempts: readonly Attempt[] | undefined) {
      for (const delta of usageOf(call, attempts)) addUsage(negated(delta));
      if (isClosed(call)) addAdjustment(call, attempts, -1);
    },
    correct(changed: readonly MonthCorrection[]) {
      for (const one of changed) {
        const key = JSON.stringify([one.madeDay, one.day, one.app, one.model, one.platform]);
        const sum = corrections.get(key);
        corrections.set(key, sum === undefined ? one : addCorrections(sum, one));
      }
    },
    changes: () => ({
      usage: [...usage.values()],
      adjustments: [...adjustments.values()],
      monthCorrections: [...corrections.values()],
    }),
  };

  function isClosed({ callId }: CallRecord): boolean {
    return closedUntil !== undefined && callId < closedUntil;
  }

  function addUsage(delta: UsageDay) {
    const key = keyOf(delta.app, delta.day, delta.model);
    const sum = usage.get(key);
    usage.set(key, sum === undefined ? delta : sumOf(sum, delta));
  }

  function addAdjustment(call: CallRecord, attempts: readonly Attempt[] | undefined, sign: 1 | -1) {
    for (const split of splitsOf(call, attempts ?? [], sign)) {
      const key = `${split.callId}\n${split.model}\n${split.platform}`;
      const sum = adjustments.get(key);
      adjustments.set(key, sum === undefined ? split : addSums(sum, split));
    }
  }
}

function sumOf(a: UsageDay, b: UsageDay): UsageDay {
  return {
    app: a.app,
    day: a.day,
    model: a.model,
    calls: a.calls + b.calls,
    errors: a.errors + b.errors,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteInputTokens: a.cacheWriteInputTokens + b.cacheWriteInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    cost: a.cost + b.cost,
    estimated: a.estimated + b.estimated,
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  };
}
