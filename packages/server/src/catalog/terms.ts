import type { PlatformConfig } from '../domain/platform.ts';
import { type Factors, factorUnit, type TermsOfPrice } from '../domain/price-terms.ts';
import type { DatedRates, ModelRates, Rates } from '../domain/rates.ts';
import { larger } from '../lib/money.ts';
import type { Price } from './catalog.ts';
import { priceOf } from './price.ts';

/** A factor as a fraction. */
interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** What a platform makes of a price: its contract's factor, and the factor of its region. */
export function priceOn(platform: PlatformConfig, model: string, dated: DatedRates): Price {
  const { tiers, regions, fromDay: _from, readDay: _read, source: _source, ...rates } = dated;
  const own = scaled(rates, fractionOn(platform, dated));
  if (tiers === undefined && regions === undefined) return priceOf(model, own);
  const terms = {
    ...{ region: regionOf(platform), isRegionStated: platform.kind === 'anthropic' },
    ...{ tiers: tiers ?? {}, regions: regions ?? {} },
  };
  const open = openFraction(platform, terms);
  return { ...priceOf(model, own, terms), ...(open && { reserved: scaled(own, open) }) };
}

/** The regions and sums of a price that a platform cannot have; one sentence a problem. */
export function termProblems(
  platform: PlatformConfig,
  model: string,
  dated: DatedRates,
): readonly string[] {
  const region = regionOf(platform);
  const { regions, source } = dated;
  // A file without its own row starts as before: its calls have the highest known factor.
  const isOwn = source === undefined && regions !== undefined;
  if (isOwn && region !== undefined && factorIn(regions, region) === undefined) {
    const known = Object.keys(regions).join(', ');
    return [
      `models: ${model} has no price in the region ${region} of the platform ${platform.name}; add it to its regions, which are ${known}`,
    ];
  }
  const fractions = [fractionOn(platform, dated)];
  for (const tier of [factorUnit, ...Object.values(dated.tiers ?? {})])
    for (const place of [factorUnit, ...Object.values(regions ?? {})])
      fractions.push({
        over: (platform.priceFactor ?? factorUnit) * tier * place,
        under: factorUnit ** 3n,
      });
  if (fractions.every((fraction) => isWhole(dated, fraction))) return [];
  return [
    `models: a price of ${model} on the platform ${platform.name} has more than six decimals after its factors (priceFactor, tiers, regions); use factors with fewer decimals`,
  ];
}

/**
 * The same price in the terms that a response states: undefined where the row does not have them.
 * Its version names them, so the store needs one row for all of them.
 */
export function priceIn(
  price: Price,
  stated: { readonly tier?: string | undefined; readonly region?: string | undefined },
): Price | undefined {
  const { terms, reserved: _reserved, ...own } = price;
  if (terms === undefined) return undefined;
  const { tier, region = terms.region } = stated;
  const ofTier = tier === undefined ? factorUnit : terms.tiers[tier];
  const ofRegion = region === undefined ? factorUnit : factorIn(terms.regions, region);
  if (ofTier === undefined || ofRegion === undefined) return undefined;
  if (tier === undefined && region === terms.region) return price;
  const version = [price.version, tier ?? '', region ?? ''].join(':');
  const under = factorUnit * (factorIn(terms.regions, terms.region) ?? highest(terms.regions));
  return { ...own, ...scaled(own, { over: ofTier * ofRegion, under }), terms, version };
}

/** The region of a platform that prices depend on; undefined where requests name none. */
export function regionOf({ kind, region, baseUrl = '' }: PlatformConfig): string | undefined {
  if (kind === 'anthropic') return region === 'none' ? undefined : (region ?? 'global');
  if (kind !== 'openai') return undefined;
  return region ?? /^https:\/\/([a-z]{2,4})\.api\.openai\.com\b/.exec(baseUrl)?.[1];
}

/** A row need not say that its own price is that of everywhere. */
function factorIn(regions: Factors, region: string | undefined): bigint | undefined {
  return region === undefined || region === 'global'
    ? (regions.global ?? factorUnit)
    : regions[region];
}

function fractionOn(platform: PlatformConfig, { regions = {} }: DatedRates): Fraction {
  const contract = platform.priceFactor ?? factorUnit;
  const place = factorIn(regions, regionOf(platform)) ?? highest(regions);
  return { over: contract * place, under: factorUnit ** 2n };
}

/** The highest factor of the terms that no request names; undefined where it is 1 at most. */
function openFraction({ kind }: PlatformConfig, terms: TermsOfPrice): Fraction | undefined {
  const isTierOpen = kind !== 'openai' && kind !== 'anthropic';
  const isRegionOpen = terms.region === undefined && kind !== 'openai';
  const ofTiers = isTierOpen ? highest(terms.tiers) : factorUnit;
  const ofRegions = isRegionOpen ? highest(terms.regions) : factorUnit;
  const over = ofTiers * ofRegions;
  const under = factorUnit ** 2n;
  return over > under ? { over, under } : undefined;
}

function highest(factors: Factors): bigint {
  return Object.values(factors).reduce(larger, factorUnit);
}

function ratesIn(rates: ModelRates): readonly Rates[] {
  return [rates, ...(rates.steps ?? [])];
}

function isWhole(rates: ModelRates, { over, under }: Fraction): boolean {
  return ratesIn(rates).every((each) => {
    const { inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd } = each;
    const { cacheWrite1hInputPicoUsd = 0n } = each;
    const all = [inputPicoUsd, cachedInputPicoUsd, cacheWriteInputPicoUsd, outputPicoUsd];
    return [...all, cacheWrite1hInputPicoUsd].every((rate) => (rate * over) % under === 0n);
  });
}

/** Rounded up where it is not whole, which startup rejects. */
function scaled(rates: ModelRates, by: Fraction): ModelRates {
  if (by.over === by.under) return rates;
  const { steps } = rates;
  const all = scaledRates(rates, by);
  if (steps === undefined) return all;
  return {
    ...all,
    steps: steps.map((step) => ({
      aboveInputTokens: step.aboveInputTokens,
      ...scaledRates(step, by),
    })),
  };
}

function scaledRates(rates: Rates, { over, under }: Fraction): Rates {
  const times = (rate: bigint) => (rate * over + under - 1n) / under;
  const { cacheWrite1hInputPicoUsd: forLong } = rates;
  return {
    inputPicoUsd: times(rates.inputPicoUsd),
    cachedInputPicoUsd: times(rates.cachedInputPicoUsd),
    cacheWriteInputPicoUsd: times(rates.cacheWriteInputPicoUsd),
    ...(forLong !== undefined && { cacheWrite1hInputPicoUsd: times(forLong) }),
    outputPicoUsd: times(rates.outputPicoUsd),
  };
}
