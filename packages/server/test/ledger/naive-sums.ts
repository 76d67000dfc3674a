import type { UsageSums } from '../../src/books/splits.ts';
import type { LedgerRows } from '../conformance/ledger-rows.ts';

// The expected reports, added up by hand: one line a call and one line an attempt.

/** Sums by day, app, model, platform, key and user, each group a line of text, in order. */
export function naiveSums({ calls, attempts }: Pick<LedgerRows, 'calls' | 'attempts'>) {
  const groups = new Map<string, UsageSums>();
  for (const call of calls) {
    const own = attempts.filter(({ callId }) => callId === call.callId);
    const name = (model: string, platform = call.platform) =>
      [call.day, call.app, model, platform ?? '', call.keyId ?? '', call.userId ?? ''].join(' ');
    const isFree = (version: string | undefined) => version?.startsWith('dearest-') ?? true;
    const isUnpriced = isFree(call.priceVersion);
    add(groups, name(call.usageModel), {
      ...{ ...zero, calls: 1, errors: call.code === 'OK' ? 0 : 1 },
      unpricedCalls: isUnpriced ? 1 : 0,
    });
    if (own.length === 0) {
      const { cost, estimated } = call;
      add(groups, name(call.usageModel), {
        ...{ ...zero, ...tokensOf(call), cost, estimated },
        corrected: call.basis === 'corrected' ? cost - estimated : 0n,
        unpriced: isUnpriced ? cost : 0n,
      });
    }
    for (const { basis, cost, ...attempt } of own) {
      add(groups, name(attempt.usageModel, attempt.platform ?? ''), {
        ...{ ...zero, ...tokensOf(attempt), cost },
        estimated: basis === 'estimated' ? cost : 0n,
        corrected: basis === 'corrected' ? cost : 0n,
        unpriced: isFree(attempt.priceVersion) ? cost : 0n,
      });
    }
  }
  return linesOf(groups);
}

/** The same for groups that a report has read. */
export function linesOf(groups: ReadonlyMap<string, UsageSums>): readonly string[] {
  return [...groups]
    .map(([name, sums]) => `${name}: ${fields.map((field) => sums[field]).join(' ')}`)
    .filter((line) => !/:(?: 0)+$/.test(line))
    .sort();
}

export function add(groups: Map<string, UsageSums>, name: string, sums: UsageSums) {
  const before: UsageSums = groups.get(name) ?? zero;
  groups.set(name, {
    calls: before.calls + sums.calls,
    errors: before.errors + sums.errors,
    inputTokens: before.inputTokens + sums.inputTokens,
    cachedInputTokens: before.cachedInputTokens + sums.cachedInputTokens,
    cacheWriteInputTokens: before.cacheWriteInputTokens + sums.cacheWriteInputTokens,
    outputTokens: before.outputTokens + sums.outputTokens,
    reasoningTokens: before.reasoningTokens + sums.reasoningTokens,
    cacheWrite1hInputTokens: before.cacheWrite1hInputTokens + sums.cacheWrite1hInputTokens,
    cost: before.cost + sums.cost,
    estimated: before.estimated + sums.estimated,
    corrected: before.corrected + sums.corrected,
    unpriced: before.unpriced + sums.unpriced,
    unpricedCalls: before.unpricedCalls + sums.unpricedCalls,
  });
}

const zero: UsageSums = {
  ...{ calls: 0, errors: 0, inputTokens: 0, cachedInputTokens: 0, cacheWriteInputTokens: 0 },
  ...{ outputTokens: 0, reasoningTokens: 0, cacheWrite1hInputTokens: 0, unpricedCalls: 0 },
  ...{ cost: 0n, estimated: 0n, corrected: 0n, unpriced: 0n },
};
const fields = [
  ...(['calls', 'errors', 'inputTokens', 'cachedInputTokens', 'cacheWriteInputTokens'] as const),
  ...(['outputTokens', 'reasoningTokens', 'cacheWrite1hInputTokens', 'cost'] as const),
  ...(['estimated', 'corrected', 'unpriced', 'unpricedCalls'] as const),
];

/** The index of the cost among the figures of a line. */
export const costAt = fields.indexOf('cost');

type Counted = Pick<LedgerRows['calls'][number], 'tokens'>;

function tokensOf({ tokens }: Counted) {
  return { ...tokens, cacheWrite1hInputTokens: tokens.cacheWrite1hInputTokens ?? 0 };
}
