import { type CountedUsage, cost, highestOutputRate, ratesFor } from '../../catalog/cost.ts';
import { mostUses } from '../../catalog/flat-price.ts';
import { type Doubt, type EstimateReason, firstReason, noDoubts } from '../../domain/doubt.ts';
import { larger } from '../../lib/money.ts';
import { isInDoubt } from '../../platforms/evidence/reported-usage.ts';
import type { AttemptOutcome, ReportedUsage } from '../../platforms/model/port.ts';
import type { StreamFault } from '../model/call-stream.ts';
import type { Bound, Candidate } from '../model/candidate.ts';
import type { AttemptRecord } from '../model/generated.ts';
import { withPricedCounts } from './priced-counts.ts';
import { countedUsage, withReportedCost } from './reported-cost.ts';
import { withReportedTerms } from './reported-terms.ts';

export type AttemptPricing = Pick<AttemptRecord, 'candidate'>;

/**
 * A possibly billed attempt is never free, nor below the platform's report, up to the whole
 * context. Without counts it costs its maximum; with impossible counts, the larger of maximum and
 * their price. Ledger, "who pays"; ADR 0007, ADR 0084.
 */
export function bookAttempt(
  parts: AttemptPricing & {
    readonly outcome: AttemptOutcome;
    readonly fault?: StreamFault | undefined;
    readonly startedAt: number;
    readonly tookMs: number;
  },
): AttemptRecord {
  const { outcome, startedAt, tookMs } = parts;
  const reported =
    parts.candidate.bound.price?.terms && withReportedTerms(parts.candidate, outcome);
  const { candidate = parts.candidate, usage: rawUsage = outcome.usage } = reported ?? {};
  const isPriced =
    candidate.bound.price?.flat !== undefined || candidate.bound.price?.parts !== undefined;
  const usage = isPriced && rawUsage ? withPricedCounts(rawUsage, candidate.bound) : rawUsage;
  const isUnusual =
    usage?.inputTokens === 0 || usage?.outputTokens === 0 || usage?.reportedCost !== undefined;
  const counted = isUnusual ? countedUsage(outcome, usage) : usage;
  const byCounts = bookedOf({ ...parts, candidate }, counted);
  const booked = isUnusual ? withReportedCost(byCounts, candidate, counted) : byCounts;
  return { ...booked, candidate, outcome, startedAt, tookMs };
}

export function bookedPicoUsd(attempts: readonly AttemptRecord[]): bigint {
  let sum = 0n;
  for (const { cost: amount } of attempts) sum += amount;
  return sum;
}

type Booking = Pick<
  AttemptRecord,
  'cost' | 'basis' | 'reason' | 'doubts' | 'tokens' | 'impossible'
>;

function bookedOf(
  parts: Parameters<typeof bookAttempt>[0],
  usage: ReportedUsage | undefined,
): Booking {
  const { candidate, outcome, fault } = parts;
  if (outcome.kind === 'failed' && outcome.billed === 'no') return bookFailure(parts, usage);
  if (fault === 'platform') {
    const whole = brokenCost(
      candidate,
      usage,
      usage === undefined ? {} : extrasOf(candidate, usage),
    );
    const amount = larger(whole ?? candidate.bound.amountPicoUsd, costOfCounts(parts, usage));
    return estimateOf(amount, usage, 'broken-stream');
  }
  const isWhole = usage?.inputTokens !== undefined && usage.outputTokens !== undefined;
  if (!isWhole || fault === 'ours') {
    const amount = larger(candidate.bound.amountPicoUsd, costOfCounts(parts, usage));
    return estimateOf(amount, usage, fault === 'ours' ? 'broken-stream' : lackOf(outcome));
  }
  return bookCounts(parts, usage);
}

const impossible: Doubt = { reason: 'impossible-counts', name: 'usage' };
const noCounts = { tokens: undefined, impossible: undefined } as const;
const exact = { ...noCounts, basis: 'exact', reason: undefined, doubts: noDoubts } as const;

function estimateOf(
  amount: bigint,
  { doubts = noDoubts }: Partial<ReportedUsage> = {},
  ...reasons: readonly EstimateReason[]
): Booking {
  const reason = firstReason([...reasons, ...doubts.map((doubt) => doubt.reason)]);
  return { ...noCounts, cost: amount, basis: 'estimated', reason, doubts };
}

function lackOf(outcome: AttemptOutcome): EstimateReason {
  if (outcome.kind === 'answered') return 'no-counts';
  if (outcome.broke === true) return 'broken-stream';
  return outcome.usage === undefined ? 'unknown-outcome' : 'no-counts';
}

/** A rejected attempt costs nothing, unless the platform reports counts. */
function bookFailure(parts: AttemptPricing, usage: ReportedUsage | undefined): Booking {
  const { inputTokens = 0, outputTokens = 0 } = usage?.atLeast ?? usage ?? {};
  if (usage === undefined || inputTokens + outputTokens === 0) {
    return { ...noCounts, cost: 0n, basis: 'free', reason: undefined, doubts: noDoubts };
  }
  if (usage.inputTokens !== undefined && usage.outputTokens !== undefined)
    return bookCounts(parts, usage);
  const reason = usage.atLeast === undefined ? 'no-counts' : 'broken-stream';
  return estimateOf(costOfCounts(parts, usage), usage, reason);
}

function bookCounts(parts: AttemptPricing, usage: ReportedUsage): Booking {
  const { bound } = parts.candidate;
  const { price } = bound;
  const tokens = believedTokens(usage, bound);
  if (tokens === undefined) {
    const amount = larger(bound.amountPicoUsd, costOfCounts(parts, usage));
    const doubts = usage.doubts.length > 0 ? usage.doubts : [impossible];
    return { ...estimateOf(amount, { doubts }, 'impossible-counts'), impossible: usage };
  }
  const areKnown = tokens.cacheWrite1hInputTokens === undefined || areLifetimesKnown(usage, bound);
  const isSure = usage.doubts.length === 0 && areKnown;
  const amount = price === undefined ? 0n : cost(tokens, price);
  if (isSure && price?.isHighestKnown !== true) return { ...exact, cost: amount, tokens };
  return { ...bookDoubts(parts, usage, { tokens, amount }), tokens };
}

/** Doubts about plausible counts, whose cost might be inexact. */
function bookDoubts(
  { candidate: { bound } }: AttemptPricing,
  usage: ReportedUsage,
  { tokens, amount }: { readonly tokens: CountedUsage; readonly amount: bigint },
): Booking {
  const { price } = bound;
  const areKnown = areLifetimesKnown(usage, bound);
  const doubts = usage.doubts.filter(({ reason }) => reason !== 'cache-lifetime' || !areKnown);
  const reasons: EstimateReason[] = areKnown ? [] : ['cache-lifetime'];
  if (price?.isHighestKnown === true) reasons.push('no-price');
  if (doubts.length + reasons.length === 0) {
    return { ...exact, cost: amount };
  }
  const isContradicted = isInDoubt(usage, 'contradicting-counts');
  if (price === undefined || (!isContradicted && tokens.parts === undefined))
    return estimateOf(amount, { doubts }, ...reasons);
  // For some models, a cache write or a token of a priced part costs less than plain input.
  const { cacheWrite1hInputTokens: _, ...rest } = tokens;
  const written = isContradicted ? { ...rest, cacheWriteInputTokens: 0 } : tokens;
  const other = cost({ ...written, parts: undefined }, price);
  return estimateOf(larger(amount, other), { doubts }, ...reasons);
}

/**
 * Plausible: consistent, input within the maximum, output at most twice the request. Otherwise
 * undefined.
 */
export function believedTokens(usage: ReportedUsage, bound: Bound): CountedUsage | undefined {
  const { inputTokens, outputTokens } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  if (inputTokens > bound.inputTokens || outputTokens > bound.outputTokens * 2) return undefined;
  if (usage.doubts.length > 0 && isInDoubt(usage, 'impossible-counts')) return undefined;
  return {
    inputTokens,
    cachedInputTokens: usage.cachedInputTokens ?? 0,
    cacheWriteInputTokens: usage.cacheWriteInputTokens ?? 0,
    ...longCacheWrites(usage, bound),
    toolUses: usage.toolUses,
    parts: usage.parts,
    outputTokens,
    reasoningTokens: Math.min(usage.reasoningTokens ?? 0, outputTokens),
  };
}

function costOfCounts({ candidate }: AttemptPricing, rawUsage: ReportedUsage | undefined): bigint {
  if (rawUsage === undefined) return 0n;
  const usage = rawUsage.atLeast ?? rawUsage;
  const { toolUses, parts } = rawUsage;
  return priceCounts(candidate, usage, { ...extrasOf(candidate, usage), toolUses, parts });
}

function extrasOf({ bound }: Candidate, usage: ReportedUsage) {
  return { ...longCacheWrites(usage, bound), toolUses: usage.toolUses, parts: usage.parts };
}

/**
 * The long-lived cache costs more. If the request may use it and the platform reports no split, all
 * writes count as long-lived.
 */
function longCacheWrites(usage: ReportedUsage, bound: Pick<Bound, 'cachesForLong'>) {
  const { cacheWriteInputTokens: written = 0, cacheWrite1hInputTokens: reported } = usage;
  if (reported === undefined && bound.cachesForLong === undefined) return {};
  const isAll = reported === undefined && bound.cachesForLong === 'all';
  const tokens = isAll || isHalfKnown(usage, bound) ? written : (reported ?? 0);
  return tokens === 0 ? {} : { cacheWrite1hInputTokens: tokens };
}

function isHalfKnown(usage: ReportedUsage, { cachesForLong }: Pick<Bound, 'cachesForLong'>) {
  const { cacheWriteInputTokens: written = 0, cacheWrite1hInputTokens: reported = 0 } = usage;
  if (usage.cacheWrite1hInputTokens === undefined && cachesForLong === 'some') return written > 0;
  return (cachesForLong !== undefined || reported > 0) && isInDoubt(usage, 'cache-lifetime');
}

function areLifetimesKnown(usage: ReportedUsage, bound: Bound): boolean {
  if (longCacheWrites(usage, bound).cacheWrite1hInputTokens === undefined) return true;
  const rates = bound.price === undefined ? [] : [bound.price, ...(bound.price.steps ?? [])];
  const isPriced = rates.every((known) => known.cacheWrite1hInputPicoUsd !== undefined);
  return isPriced && !isHalfKnown(usage, bound);
}

type ExtraCounts = Pick<CountedUsage, 'cacheWrite1hInputTokens' | 'toolUses' | 'parts'>;

/** For an unknown context. */
const contextTokensMax = 2_000_000;

/**
 * Ended early by the platform: the reported input plus the maximum output. Undefined if the input
 * is unknown; a placeholder of zero counts as unknown.
 */
function brokenCost(
  { bound }: Candidate,
  usage: ReportedUsage | undefined,
  extras: ExtraCounts,
): bigint | undefined {
  const { price, inputTokens: inputMax, outputTokens: outputMax } = bound;
  const inputTokens = usage?.inputTokens ?? 0;
  if (price === undefined || inputTokens === 0 || inputTokens > inputMax) return undefined;
  const { cachedInputTokens = 0, cacheWriteInputTokens = 0 } = usage ?? {};
  const { imageInput, audioInput } = extras.parts ?? {};
  const input = {
    ...{ inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens: 0 },
    ...{ ...extras, toolUses: price.flat && mostUses(price.flat, extras.toolUses) },
    ...{ parts: extras.parts && { imageInput, audioInput }, reasoningTokens: 0 },
  };
  const rates = ratesFor(price, inputTokens);
  return cost(input, price) + BigInt(outputMax) * highestOutputRate(rates);
}

function priceCounts({ model, bound }: Candidate, usage: ReportedUsage, extras: ExtraCounts) {
  const { kind, contextTokens = contextTokensMax } = model;
  // The context of an embedding model limits each text, and a request has many texts.
  const tokensMax = kind === 'embeddings' ? contextTokensMax : contextTokens;
  if (bound.price === undefined) return 0n;
  const within = (tokens: number | undefined) => Math.min(tokens ?? 0, tokensMax);
  const tokens = {
    inputTokens: within(usage.inputTokens),
    cachedInputTokens: within(usage.cachedInputTokens),
    cacheWriteInputTokens: within(usage.cacheWriteInputTokens),
    outputTokens: within(usage.outputTokens),
    reasoningTokens: 0,
    ...extras,
  };
  return cost(tokens, bound.price);
}
