import type { ReportedUsage } from '../platforms/port.ts';
import type { Bound } from './admission/bound.ts';

/**
 * What of the written cache is booked as kept for an hour, which is dearer: all of it, where some
 * may be, and the platform does not say how much.
 */
export function keptForHour(
  usage: ReportedUsage,
  { cachesForHour }: Pick<Bound, 'cachesForHour'>,
): { readonly cacheWrite1hInputTokens?: number } {
  const { cacheWriteInputTokens = 0, cacheWrite1hInputTokens: stated = 0, hasLifetimes } = usage;
  const isUnsaid = hasLifetimes === false && (cachesForHour === true || stated > 0);
  const tokens = isUnsaid ? cacheWriteInputTokens : stated;
  return tokens === 0 ? {} : { cacheWrite1hInputTokens: tokens };
}

/** Whether it is known how much is kept for an hour, and what that costs. */
export function areLifetimesKnown(usage: ReportedUsage, bound: Bound): boolean {
  if (keptForHour(usage, bound).cacheWrite1hInputTokens === undefined) return true;
  const { price } = bound;
  const rates = [price, price?.longContext].filter((known) => known !== undefined);
  const isPriced = rates.every((known) => known.cacheWrite1hInputPicoUsd !== undefined);
  return usage.hasLifetimes !== false && isPriced;
}
