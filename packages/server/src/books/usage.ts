import type { CallRecord, UsageDay } from './rows.ts';

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
    unpricedCalls: isUnpriced(call.priceVersion) ? 1 : 0,
  };
}
