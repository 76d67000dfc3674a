import { type DatedRates, type TokenPart, tokenParts } from '../domain/rates.ts';
import { usdPerMillion } from './amounts.ts';
import { factors } from './factor.ts';
import { type Bounds, type Field, readList, report } from './field.ts';
import { perRequestUsd, toolUses } from './flat-price.ts';
import { omitUndefined } from './omit-undefined.ts';
import { readSteps, stepsSchema } from './price-steps.ts';
import { described, type Schema } from './reader.ts';
import { unique, utcDay } from './scalars.ts';
import {
  boundsSchema,
  key,
  namesOf,
  openSection,
  readKeys,
  type Section,
  sectionSchema,
  type ValuesOf,
} from './section.ts';

const bounds: Bounds = {
  ...{ max: 64, noun: 'prices', cure: '; remove the oldest ones' },
  empty: 'is empty; add a price, or remove the key',
};

/** Cache lifetimes of platforms. A price has one from each line. */
const lifetimes = {
  short: ['5m', '30m'],
  long: ['1h', '12h'],
} as const;

const lifetimeKeys = {
  '5m': key('Cached for 5 minutes', usdPerMillion),
  '30m': key('Cached for 30 minutes', usdPerMillion),
  '1h': key('Cached for 1 hour', usdPerMillion),
  '12h': key('Cached for 12 hours', usdPerMillion),
};

const rateKeys = {
  inputUsdPerMillion: key('USD per million input tokens', usdPerMillion),
  cachedInputUsdPerMillion: key('The same for cached input; default: input', usdPerMillion),
  cacheWriteInputUsdPerMillion: key('The same for cache writes; default: input', usdPerMillion),
  cacheWrite1hInputUsdPerMillion: key(
    'The same for 1-hour cache writes; omit it to reject them',
    usdPerMillion,
  ),
  outputUsdPerMillion: key('USD per million output tokens', usdPerMillion),
  cacheWriteUsdPerMillion: key(
    'USD per million cache-write tokens, by cache lifetime',
    described(sectionSchema(lifetimeKeys)),
  ),
  aboveInputTokens: key(
    'Price steps: rates of the whole call above a number of input tokens; the smallest first',
    described(stepsSchema),
  ),
  tiers: key('Price factor of other service tiers, by the tier name in responses', factors),
  regions: key('Price factor of regions, by the region name in responses', factors),
  imageInputUsdPerMillion: key('USD per million image input tokens', usdPerMillion),
  audioInputUsdPerMillion: key('The same for audio input', usdPerMillion),
  reasoningUsdPerMillion: key('The same for reasoning, a part of the output', usdPerMillion),
  imageOutputUsdPerMillion: key('The same for image output', usdPerMillion),
  audioOutputUsdPerMillion: key('The same for audio output', usdPerMillion),
  perRequestUsd: key('USD per billed request', perRequestUsd),
  toolUses: key('Prices of tools that the platform runs, by their names in usage', toolUses),
};

const datedKeys = {
  from: key('First UTC day of the price; required if there are several prices', utcDay),
  ...rateKeys,
};

/** A model with half a price would count as unpriced, and its calls as free. */
const wholePrice = ['inputUsdPerMillion', 'outputUsdPerMillion'] as const;

const inputOnly = ['inputUsdPerMillion'] as const;

type Kind = 'embeddings' | undefined;

export const priceKeys = {
  ...rateKeys,
  prices: key(
    'Prices by their first UTC day, in place of the keys above',
    described({
      ...{ type: 'array', ...boundsSchema('Items', bounds) },
      items: sectionSchema(datedKeys, {}, { required: inputOnly }),
    }),
  ),
};

type RateSection = Section<ValuesOf<typeof rateKeys>>;
type PriceSection = Section<ValuesOf<typeof priceKeys>>;

export function priceSchema(kind: Kind): Schema {
  const needed = neededOf(kind);
  return { dependencies: Object.fromEntries(namesOf(rateKeys).map((name) => [name, needed])) };
}

function neededOf(kind: Kind) {
  return kind === 'embeddings' ? inputOnly : wholePrice;
}

/** Undefined for a model with neither input nor output price. */
export function readPrices(section: PriceSection, kind: Kind): readonly DatedRates[] | undefined {
  const dated = section.field('prices');
  if (dated === undefined) {
    const rates = readRates(section, kind);
    return rates === undefined ? undefined : [rates];
  }
  const flat = namesOf(rateKeys).find((name) => section.field(name) !== undefined);
  if (flat !== undefined) return report(dated, `conflicts with ${flat}; move it into prices`);
  return readDated(dated, kind);
}

function readDated(field: Field, kind: Kind): readonly DatedRates[] {
  const newDay = unique(utcDay);
  const hasSeveral = field.tree.kind === 'list' && field.tree.items.length > 1;
  const prices = readList(field, readOne, bounds);
  return prices.toSorted((a, b) => ((a.fromDay ?? '') < (b.fromDay ?? '') ? -1 : 1));

  function readOne(item: Field) {
    const section = openSection(item, datedKeys);
    const isTable = item.tree.kind === 'table';
    const fromDay = section.readWith('from', newDay);
    if (isTable && section.field('from') === undefined && hasSeveral)
      report(item, 'requires from, the first UTC day of the price');
    const rates = readRates(section, kind);
    if (isTable && rates === undefined && namesOf(rateKeys).every((name) => !section.field(name)))
      report(item, `a price requires ${neededOf(kind).join(' and ')}`);
    return rates && { fromDay, ...rates };
  }
}

function readRates(section: RateSection, kind: Kind): DatedRates | undefined {
  const input = section.read('inputUsdPerMillion');
  const cachedInput = section.read('cachedInputUsdPerMillion');
  const { short: write, long: writeForLong } = readWrites(section);
  // Embeddings have no output tokens.
  const isInputOnly = kind === 'embeddings' && section.field('outputUsdPerMillion') === undefined;
  const output = isInputOnly ? 0n : section.read('outputUsdPerMillion');
  reportHalfPrice(section, neededOf(kind));
  if (input === undefined || output === undefined) return undefined;
  const rates = omitUndefined({
    inputPicoUsd: input,
    cachedInputPicoUsd: cachedInput ?? input,
    cacheWriteInputPicoUsd: write ?? input,
    cacheWrite1hInputPicoUsd: writeForLong,
    outputPicoUsd: output,
    parts: readParts(section),
  });
  const steps = section.readWith('aboveInputTokens', (field) => readSteps(field, rates)) ?? [];
  const [tiers, regions] = [section.read('tiers'), section.read('regions')];
  const flat = omitUndefined({
    perRequestPicoUsd: section.read('perRequestUsd'),
    toolUses: section.read('toolUses'),
  });
  return {
    ...rates,
    ...(steps.length > 0 && { steps }),
    ...omitUndefined({ tiers, regions }),
    ...(Object.keys(flat).length > 0 && { flat }),
  };
}

function readParts(section: RateSection): DatedRates['parts'] {
  const parts: Partial<Record<TokenPart, bigint>> = {};
  for (const part of tokenParts) {
    const rate = section.read(`${part}UsdPerMillion`);
    if (rate !== undefined) parts[part] = rate;
  }
  return Object.keys(parts).length === 0 ? undefined : parts;
}

function reportHalfPrice(section: RateSection, needed: readonly (keyof typeof rateKeys)[]): void {
  const [first] = namesOf(rateKeys).flatMap((name) => section.field(name) ?? []);
  if (first === undefined) return;
  const missing = needed.filter((name) => section.field(name) === undefined);
  if (missing.length > 0) report(first, `a price also requires ${missing.join(' and ')}`);
}

function readWrites(section: RateSection) {
  const short = section.read('cacheWriteInputUsdPerMillion');
  const long = section.read('cacheWrite1hInputUsdPerMillion');
  const field = section.field('cacheWriteUsdPerMillion');
  if (field === undefined) return { short, long };
  if (short !== undefined || long !== undefined)
    report(field, 'conflicts with another cache-write price; move that price into this key');
  if (field.tree.kind === 'table' && field.tree.entries.size === 0)
    report(field, 'is empty; add a rate, such as { 5m: "2.5" }');
  const byLifetime = readKeys(field, lifetimeKeys);
  const rateOf = (names: (typeof lifetimes)['short' | 'long']) => {
    const [first, second] = names.filter((name) => byLifetime[name] !== undefined);
    if (second !== undefined) report(field, `has ${first} and ${second}; keep one of them`);
    return first === undefined ? undefined : byLifetime[first];
  };
  return { short: rateOf(lifetimes.short), long: rateOf(lifetimes.long) };
}
