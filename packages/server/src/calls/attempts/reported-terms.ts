import type { Price } from '../../catalog/catalog.ts';
import { estimatedPrice, priceIn } from '../../catalog/terms.ts';
import type { Doubt } from '../../domain/doubt.ts';
import type { AttemptOutcome, ReportedUsage } from '../../platforms/model/port.ts';
import type { Candidate } from '../model/candidate.ts';

export interface ReportedTerms {
  readonly candidate: Candidate;
  readonly usage: ReportedUsage | undefined;
}

/**
 * Uses the reported tier and region if the row has both, and drops those doubts. A requested but
 * unreported tier or region stays in doubt.
 */
export function withReportedTerms(
  candidate: Candidate,
  { usage }: Pick<AttemptOutcome, 'usage'>,
): ReportedTerms {
  const { price } = candidate.bound;
  const terms = price?.terms;
  if (price === undefined || terms === undefined || usage === undefined)
    return { candidate, usage };
  const tier = wordOf(usage.doubts, 'other-tier');
  const region = wordOf(usage.doubts, 'other-region');
  const isRegionSilent =
    terms.isRegionRequested &&
    terms.region !== undefined &&
    terms.region !== 'global' &&
    region === undefined;
  const isTierSilent = terms.tier !== undefined && tier === undefined;
  const areTermsReported = tier !== null && region !== null && !isRegionSilent && !isTierSilent;
  const reportedPrice = areTermsReported ? priceIn(price, { tier, region }) : undefined;
  if (reportedPrice === undefined) {
    const silent = [
      ...(isTierSilent ? [silentTier] : []),
      ...(isRegionSilent ? [silentRegion] : []),
    ];
    const doubts = [...usage.doubts, ...silent];
    const estimated = estimatedPrice(price, { tier, region });
    return { candidate: pricedAt(candidate, estimated), usage: { ...usage, doubts } };
  }
  const doubts = usage.doubts.filter((doubt) => !isTerm(doubt));
  return { candidate: pricedAt(candidate, reportedPrice), usage: { ...usage, doubts } };
}

const silentTier: Doubt = { reason: 'other-tier', name: 'service_tier' };
const silentRegion: Doubt = { reason: 'other-region', name: 'inference_geo' };

function pricedAt(candidate: Candidate, price: Price): Candidate {
  if (price === candidate.bound.price) return candidate;
  return { ...candidate, bound: { ...candidate.bound, price } };
}

function isTerm({ reason }: Doubt): boolean {
  return reason === 'other-tier' || reason === 'other-region';
}

/** Null for several values, or for a value that is not a word. */
function wordOf(
  doubts: readonly Doubt[],
  reason: 'other-tier' | 'other-region',
): string | null | undefined {
  const words = new Set(
    doubts.flatMap((doubt) => (doubt.reason === reason ? [doubt.word ?? null] : [])),
  );
  const [first] = words;
  return words.size > 1 ? null : first;
}
