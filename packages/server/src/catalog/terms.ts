import type { ModelConfig } from '../domain/model.ts';
import type { PlatformConfig, RequestTier } from '../domain/platform.ts';
import { factsOf } from '../domain/platform-kinds/platform-kinds.ts';
import { type Factors, factorUnit, type TermsOfPrice } from '../domain/price-terms.ts';
import {
  type DatedRates,
  type FlatPrice,
  type ModelRates,
  mapRates,
  type Rates,
} from '../domain/rates.ts';
import { larger } from '../lib/money.ts';
import type { Price } from './catalog.ts';
import { mapAmounts } from './flat-price.ts';
import { priceOf } from './price.ts';

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

type PricedModel = Pick<ModelConfig, 'id' | 'kind'>;

/**
 * Applies the contract's factor, and the factors of the region and tier that requests name. A row
 * without that tier is called in the standard tier.
 */
export function priceOn(platform: PlatformConfig, model: PricedModel, dated: DatedRates): Price {
  const { tiers, regions, fromDay: _from, readDay: _read, source: _source, ...rates } = dated;
  const isStandard = missingTier(platform, model.kind, dated) !== undefined;
  const tier = isStandard ? undefined : tierOf(platform, model.kind);
  const ofTokens = scaleModelRates(rates, fractionOn(platform, dated, tier));
  const own = { ...ofTokens, ...(rates.flat && { flat: flatOn(platform, rates.flat) }) };
  if (tiers === undefined && regions === undefined) return priceOf(model.id, own);
  const terms = {
    ...{ tier, region: regionOf(platform), isRegionRequested: isRegionNamed(platform, 'request') },
    ...{ tiers: tiers ?? {}, regions: regions ?? {} },
  };
  const open = openFraction(platform, terms);
  return {
    ...priceOf(model.id, own, terms),
    ...(open && { reserved: scaleModelRates(own, open) }),
  };
}

/**
 * Applies the terms of a response; undefined if the row lacks them. The version names the terms, so
 * the store needs one row for all of them.
 */
export function priceIn(
  price: Price,
  reported: { readonly tier?: string | undefined; readonly region?: string | undefined },
): Price | undefined {
  const { terms, reserved: _reserved, ...own } = price;
  if (terms === undefined) return undefined;
  const { tier = terms.tier, region = terms.region } = reported;
  const ofTier = tierFactor(terms, tier);
  const ofRegion = region === undefined ? factorUnit : factorIn(terms.regions, region);
  if (ofTier === undefined || ofRegion === undefined) return undefined;
  if (tier === terms.tier && region === terms.region) return price;
  const word = tier !== undefined && isStandard(terms, tier) ? 'standard' : (tier ?? '');
  const version = [price.version, word, region ?? ''].join(':');
  const ownRegion = factorIn(terms.regions, terms.region) ?? highest(terms.regions);
  const under = (tierFactor(terms, terms.tier) ?? factorUnit) * ownRegion;
  const rates = scaleModelRates(own, { over: ofTier * ofRegion, under });
  return { ...own, ...rates, terms, version };
}

/**
 * Uses the reported terms that the row has. If a requested tier is unreported or unknown, uses the
 * higher of that tier and the standard one.
 */
export function estimatedPrice(
  price: Price,
  { tier, region }: Readonly<Record<'tier' | 'region', string | null | undefined>>,
): Price {
  const { terms } = price;
  if (terms === undefined) return price;
  const isTier = typeof tier === 'string' && tierFactor(terms, tier) !== undefined;
  const isRegion = typeof region === 'string' && factorIn(terms.regions, region) !== undefined;
  const isLower = (tierFactor(terms, terms.tier) ?? factorUnit) < factorUnit;
  const highest = isLower ? 'standard' : undefined;
  const known = { tier: isTier ? tier : highest, region: isRegion ? region : undefined };
  return priceIn(price, known) ?? price;
}

export function standardPrice(price: Price): Price {
  const isOther = price.terms?.tier !== undefined;
  return (isOther ? priceIn(price, { tier: 'standard' }) : undefined) ?? price;
}

export function missingTier(
  platform: PlatformConfig,
  kind: PricedModel['kind'],
  { tiers }: DatedRates,
): RequestTier | undefined {
  const tier = tierOf(platform, kind);
  return tier !== undefined && tiers?.[tier] === undefined ? tier : undefined;
}

/** As the word in responses; undefined: standard, or any. */
function tierOf({ tier }: PlatformConfig, kind: PricedModel['kind']) {
  // Requests for embeddings name no tier.
  return tier === 'standard' || kind === 'embeddings' ? undefined : tier;
}

function isStandard({ tier: requested }: TermsOfPrice, tier: string): boolean {
  return requested !== undefined && (tier === 'default' || tier === 'standard');
}

function tierFactor(terms: TermsOfPrice, tier: string | undefined): bigint | undefined {
  return tier === undefined || isStandard(terms, tier) ? factorUnit : ownFactor(terms.tiers, tier);
}

export function regionOf(platform: PlatformConfig): string | undefined {
  return factsOf(platform.kind).terms.region?.of(platform);
}

function isRegionNamed({ kind }: PlatformConfig, by: 'request' | 'host'): boolean {
  return factsOf(kind).terms.region?.by === by;
}

/** A row need not declare that its price applies everywhere. */
export function factorIn(regions: Factors, region: string | undefined): bigint | undefined {
  return region === undefined || region === 'global'
    ? (regions.global ?? factorUnit)
    : ownFactor(regions, region);
}

/** A platform can report any word: every object has a `constructor`. */
function ownFactor(factors: Factors, word: string): bigint | undefined {
  return Object.hasOwn(factors, word) ? factors[word] : undefined;
}

function fractionOn(
  platform: PlatformConfig,
  { tiers = {}, regions = {} }: DatedRates,
  tier?: string,
): Fraction {
  const contract = platform.priceFactor ?? factorUnit;
  const regionFactor = factorIn(regions, regionOf(platform)) ?? highest(regions);
  const ofTier = (tier === undefined ? undefined : ownFactor(tiers, tier)) ?? factorUnit;
  return { over: contract * regionFactor * ofTier, under: factorUnit ** 3n };
}

/** The highest factor of the terms that requests leave open; undefined if at most 1. */
function openFraction(platform: PlatformConfig, terms: TermsOfPrice): Fraction | undefined {
  const { isTierOpen } = factsOf(platform.kind).terms;
  const isRegionOpen = terms.region === undefined && !isRegionNamed(platform, 'host');
  const ownTier = tierFactor(terms, terms.tier) ?? factorUnit;
  // The platform may reject a requested tier, and respond in the standard one.
  const ofTiers = isTierOpen ? highest(terms.tiers) : larger(ownTier, factorUnit);
  const ofRegions = isRegionOpen ? highest(terms.regions) : factorUnit;
  const over = ofTiers * ofRegions;
  const under = ownTier * factorUnit;
  return over > under ? { over, under } : undefined;
}

function highest(factors: Factors): bigint {
  return Object.values(factors).reduce(larger, factorUnit);
}

/** Uses have no tier or region factor, but the contract's factor applies. */
export function flatOn(
  { kind, priceFactor = factorUnit }: PlatformConfig,
  price: FlatPrice,
): FlatPrice {
  const flat = mapAmounts(price, (amount) => (amount * priceFactor + factorUnit - 1n) / factorUnit);
  const { toolUses = {} } = flat;
  // Requests with a platform's tool are rejected, and these kinds use a tool only on request.
  const usesMax = factsOf(kind).terms.usesToolsOnRequest ? 0 : usesMaxDefault;
  const bounded = Object.entries(toolUses).map(([tool, each]) => [tool, { usesMax, ...each }]);
  return { ...flat, ...(flat.toolUses && { toolUses: Object.fromEntries(bounded) }) };
}

const usesMaxDefault = 10;

/** Rounds up fractions, which startup rejects. */
function scaleModelRates(rates: ModelRates, by: Fraction): ModelRates {
  if (by.over === by.under) return rates;
  const { steps, flat } = rates;
  const all = { ...scaleRates(rates, by), ...(flat && { flat }) };
  if (steps === undefined) return all;
  return {
    ...all,
    steps: steps.map((step) => ({
      aboveInputTokens: step.aboveInputTokens,
      ...scaleRates(step, by),
    })),
  };
}

function scaleRates(rates: Rates, { over, under }: Fraction): Rates {
  return mapRates(rates, (rate) => (rate * over + under - 1n) / under);
}
