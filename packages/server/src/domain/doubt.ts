import type { TokenPart } from './rates.ts';

/**
 * Contains the sentences for the call's receipt. Of several reasons, the call gets the first in
 * this order.
 */
export const estimateReasons = {
  lost: 'its process ended before the call was settled',
  'closed-day': 'the rest of the day was booked when the day was closed',
  'unknown-outcome': 'an attempt might have been billed and reported nothing',
  'broken-stream': 'the stream ended before the platform reported all counts',
  'no-counts': 'the platform reported no complete counts',
  'impossible-counts': 'the platform reported counts that cannot be true',
  'contradicting-counts': 'the platform reported two different counts',
  'unexplained-total': 'the platform reported a total above its other counts',
  'cache-lifetime': 'the platform did not report how long it caches the input',
  'reported-cost': "the platform reported a higher cost than its counts at the model's rates",
  'other-tier': 'the platform reported another service tier than the priced one',
  'other-region': 'the platform reported another region than the priced one',
  'server-tool': 'the platform reported a server tool that was not requested',
  'other-price': 'the platform reported tokens of another price',
  'unknown-number': 'the platform reported a number of unknown meaning',
  'no-price': 'the model has no price, so the highest known rates were used',
} as const;

export type EstimateReason = keyof typeof estimateReasons;

/** Doubts about the price: a call might cost more than its counts show. */
export const priceReasons: ReadonlySet<EstimateReason> = new Set([
  ...(['reported-cost', 'other-tier', 'other-region', 'server-tool'] as const),
  ...(['other-price', 'unknown-number'] as const),
]);

export interface Doubt {
  readonly reason: EstimateReason;
  readonly name: string;
  /** A tier or region as reported, in lower case; undefined if not a word. */
  readonly word?: string | undefined;
  readonly tool?: string | undefined;
  readonly uses?: number | undefined;
  readonly part?: TokenPart | undefined;
}

export const noDoubts: readonly Doubt[] = [];

const order: readonly string[] = Object.keys(estimateReasons);

/** In the fixed order. */
export function firstReason<Reason extends string>(reasons: readonly Reason[]): Reason | undefined {
  let first: Reason | undefined;
  for (const reason of reasons)
    if (first === undefined || order.indexOf(reason) < order.indexOf(first)) first = reason;
  return first;
}

export function isEstimateReason(text: string): text is EstimateReason {
  return Object.hasOwn(estimateReasons, text);
}
