import { highestInputRate, highestOutputRate, highestRates } from '../../catalog/cost.ts';
import { flatCostMax } from '../../catalog/flat-price.ts';
import { type Doubt, type EstimateReason, firstReason } from '../../domain/doubt.ts';
import { larger, smaller } from '../../lib/money.ts';
import type { AttemptOutcome, ReportedUsage } from '../../platforms/model/port.ts';
import type { Candidate } from '../model/candidate.ts';

interface Booking {
  readonly cost: bigint;
  readonly basis: 'free' | 'exact' | 'estimated';
  readonly reason: EstimateReason | undefined;
  readonly doubts: readonly Doubt[];
}

/**
 * Zeros with content count as missing. Embeddings have no output, and filtered content may be free.
 */
export function countedUsage(
  outcome: AttemptOutcome,
  usage: ReportedUsage | undefined,
): ReportedUsage | undefined {
  if (outcome.kind !== 'answered' || usage === undefined) return usage;
  const { inputTokens, outputTokens } = usage;
  if (inputTokens !== 0 && outputTokens !== 0) return usage;
  const { content, finish, vectors } = outcome;
  if (vectors !== undefined || finish === 'content-filter') return usage;
  if (content.length === 0 && finish !== 'length' && finish !== 'tool-calls') return usage;
  return {
    ...usage,
    inputTokens: inputTokens === 0 ? undefined : inputTokens,
    outputTokens: outputTokens === 0 ? undefined : outputTokens,
  };
}

/**
 * Books the larger cost, up to the attempt's maximum at full context. A higher cost is not this
 * call's. No other platform report may be booked in part.
 */
export function withReportedCost<Of extends Booking>(
  booked: Of,
  candidate: Candidate,
  usage: ReportedUsage | undefined,
): Of {
  const reported = usage?.reportedCost;
  if (reported === undefined) return booked;
  const cost = smaller(reported.picoUsd, mostAtContext(candidate));
  if (cost <= booked.cost) return booked;
  const doubt = { reason: 'reported-cost', name: reported.name } as const;
  const reason = firstReason([...(booked.reason ? [booked.reason] : []), doubt.reason]);
  return { ...booked, cost, basis: 'estimated', reason, doubts: [...booked.doubts, doubt] };
}

/** For an unknown context. */
const contextTokensMax = 2_000_000;

/** 0 without a price: such calls count as nothing. */
function mostAtContext({ bound, model }: Candidate): bigint {
  const { price, outputTokens } = bound;
  if (price === undefined) return 0n;
  const { contextTokens = contextTokensMax, kind } = model;
  // The context of an embedding model limits each text, and a request has many texts.
  const inputTokens = kind === 'embeddings' ? contextTokensMax : contextTokens;
  const all = price.reserved ?? price;
  const rates = highestRates(all, Number.POSITIVE_INFINITY);
  const input = BigInt(inputTokens) * highestInputRate(rates, bound);
  const output = BigInt(outputTokens) * highestOutputRate(rates);
  const flat = all.flat === undefined ? 0n : flatCostMax(all.flat);
  return larger(bound.amountPicoUsd, input + output + flat);
}
