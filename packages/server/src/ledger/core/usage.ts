import type { CallRecord, UsageDay } from './rows.ts';

/** What one call adds to its day's rollup; the rollup is the sum of this over all calls. */
export function usageOf(call: CallRecord): UsageDay {
  return {
    app: call.app,
    day: call.day,
    model: call.usageModel,
    calls: 1,
    errors: call.code === 'OK' ? 0 : 1,
    ...call.tokens,
    cost: call.cost,
    estimated: call.estimated,
    unpricedCalls: call.priceVersion === undefined ? 1 : 0,
  };
}
