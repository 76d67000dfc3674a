import type { ModelConfig } from '../domain/model.ts';
import type { PlatformConfig } from '../domain/platform.ts';
import { factorUnit } from '../domain/price-terms.ts';
import { allRates, type DatedRates } from '../domain/rates.ts';
import { formatDecimal, formatUsd, formatUsdPerMillion, rateMax } from '../lib/money.ts';
import { amountsIn, flatCostMax } from './flat-price.ts';
import { factorIn, flatOn, missingTier, regionOf } from './terms.ts';

interface PriceOnPlatform {
  readonly platform: PlatformConfig;
  readonly model: Pick<ModelConfig, 'id' | 'kind'>;
  readonly dated: DatedRates;
}

export function termProblem(price: PriceOnPlatform): string | undefined {
  const problem =
    tierProblem(price) ??
    standardProblem(price) ??
    regionProblem(price) ??
    flatProblem(price) ??
    rateProblem(price);
  return problem && `models: ${problem}`;
}

function tierProblem({ platform, model, dated }: PriceOnPlatform): string | undefined {
  const tier = missingTier(platform, model.kind, dated);
  if (dated.source !== undefined || tier === undefined) return undefined;
  const example = `tiers: { ${tier}: "${tier === 'flex' ? '0.5' : '2'}" }`;
  return `${model.id} has no price in the tier ${tier} of the platform ${platform.name}; add it to its tiers, for example ${example}`;
}

/** Words in responses for the standard tier, whose price is the row's. */
const standardWords = ['default', 'standard'] as const;

function standardProblem({ model, dated: { tiers = {} } }: PriceOnPlatform): string | undefined {
  const word = standardWords.find((each) => (tiers[each] ?? factorUnit) !== factorUnit);
  if (word === undefined) return undefined;
  const factor = formatDecimal(tiers[word] ?? factorUnit, 6);
  return `${model.id} has the factor ${factor} in the tier ${word}, which is the standard tier; set the price of that tier as the price of the row, and remove ${word}`;
}

/** Built-in rows pass: a file without its own row still starts, with the highest known factor. */
function regionProblem({ platform, model, dated }: PriceOnPlatform): string | undefined {
  const region = regionOf(platform);
  const { source, regions } = dated;
  if (source !== undefined || regions === undefined || region === undefined) return undefined;
  if (factorIn(regions, region) !== undefined) return undefined;
  const words = Object.keys(regions).join(', ');
  return `${model.id} has no price in the region ${region} of the platform ${platform.name}; add it to its regions, which are ${words}`;
}

/** Far above any call, and far below a sum that overflows 64 bits. */
const flatMax = 10n ** 18n;

function flatProblem({ platform, model, dated: { flat } }: PriceOnPlatform): string | undefined {
  if (flat === undefined) return undefined;
  const { priceFactor = factorUnit, name } = platform;
  if (amountsIn(flat).some((amount) => (amount * priceFactor) % factorUnit !== 0n))
    return `perRequestUsd or toolUses of ${model.id} times the priceFactor of the platform ${name} has a fraction of 0.000000000001 USD; use amounts with fewer decimals`;
  const reserved = flatCostMax(flatOn(platform, flat));
  if (reserved <= flatMax) return undefined;
  return `perRequestUsd and toolUses of ${model.id} reserve $${formatUsd(reserved)} for a call on the platform ${name}, more than $${formatUsd(flatMax)}; use lower amounts, maxUses or priceFactor`;
}

function rateProblem({ platform, model, dated }: PriceOnPlatform): string | undefined {
  const { tiers = {}, regions = {}, steps = [] } = dated;
  const rates = [dated, ...steps].flatMap(allRates);
  const { priceFactor = factorUnit, name } = platform;
  const row = `a price of ${model.id} on the platform ${name}`;
  for (const ofTier of [factorUnit, ...Object.values(tiers)])
    for (const regionFactor of [factorUnit, ...Object.values(regions)]) {
      const factor = priceFactor * ofTier * regionFactor;
      const product = (rate: bigint) =>
        `$${formatUsdPerMillion(rate)} times ${formatDecimal(factor, 18)}`;
      const broken = rates.find((rate) => (rate * factor) % factorUnit ** 3n !== 0n);
      if (broken !== undefined)
        return `${row} has more than six decimals after its factors (priceFactor, tiers, regions): ${product(broken)}; use factors with fewer decimals`;
      const high = rates.find((rate) => rate * factor > rateMax * factorUnit ** 3n);
      if (high !== undefined)
        return `${row} is above $${formatUsdPerMillion(rateMax)} after its factors (priceFactor, tiers, regions): ${product(high)}; use lower factors`;
    }
  return undefined;
}
