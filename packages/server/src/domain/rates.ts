import { factorUnit, type PriceTerms } from './price-terms.ts';

/** Tokens within the input that may have their own price. */
export const inputParts = ['imageInput', 'audioInput'] as const;

/** The same within the output. */
export const outputParts = ['reasoning', 'imageOutput', 'audioOutput'] as const;

/** All of them. */
export const tokenParts = [...inputParts, ...outputParts] as const;
export type TokenPart = (typeof tokenParts)[number];

/** How many tokens of an input and an output are of such a part. */
export type PartCounts = Readonly<Partial<Record<TokenPart, number | undefined>>>;

/** Tokens of images or sound. */
export type ModalityPart = Exclude<TokenPart, 'reasoning'>;

/** Their counts; undefined for none, and where they are not stated. */
export type ModalityCounts = Readonly<Partial<Record<ModalityPart, number>>>;

/** USD per million tokens as integers: pico-USD per token. */
export interface Rates {
  readonly inputPicoUsd: bigint;
  readonly cachedInputPicoUsd: bigint;
  readonly cacheWriteInputPicoUsd: bigint;
  /** Of what is cached for an hour; undefined where that cannot be asked for. */
  readonly cacheWrite1hInputPicoUsd?: bigint | undefined;
  readonly outputPicoUsd: bigint;
  /** Of parts, in place of the rate of input or output; absent where none has its own. */
  readonly parts?: Readonly<Partial<Record<TokenPart, bigint>>> | undefined;
}

/** The same rates with each passed through `change`: no rate is forgotten. */
export function mapRates(rates: Rates, change: (rate: bigint, name: RateName) => bigint): Rates {
  const { cacheWrite1hInputPicoUsd: forLong, parts } = rates;
  return {
    inputPicoUsd: change(rates.inputPicoUsd, 'input'),
    cachedInputPicoUsd: change(rates.cachedInputPicoUsd, 'cachedInput'),
    cacheWriteInputPicoUsd: change(rates.cacheWriteInputPicoUsd, 'cacheWrite'),
    ...(forLong !== undefined && { cacheWrite1hInputPicoUsd: change(forLong, 'cacheWrite') }),
    outputPicoUsd: change(rates.outputPicoUsd, 'output'),
    ...(parts !== undefined && { parts: mapParts(parts, change) }),
  };
}

/** Every rate. */
export function allRates(rates: Rates): readonly bigint[] {
  const { cacheWrite1hInputPicoUsd: forLong, parts = {} } = rates;
  return [
    ...[rates.inputPicoUsd, rates.cachedInputPicoUsd, rates.cacheWriteInputPicoUsd],
    ...(forLong === undefined ? [] : [forLong]),
    ...[rates.outputPicoUsd, ...Object.values(parts)],
  ];
}

/** The whole of a rate: steps have factors by it. */
type RateName = 'input' | 'cachedInput' | 'cacheWrite' | 'output';

function mapParts(
  parts: NonNullable<Rates['parts']>,
  change: (rate: bigint, name: RateName) => bigint,
): NonNullable<Rates['parts']> {
  const changed: Partial<Record<TokenPart, bigint>> = {};
  for (const part of inputParts)
    if (parts[part] !== undefined) changed[part] = change(parts[part], 'input');
  for (const part of outputParts)
    if (parts[part] !== undefined) changed[part] = change(parts[part], 'output');
  return changed;
}

/** The rates of a call whose input is longer than a step: they are those of the whole call. */
export interface StepRates extends Rates {
  /** The step begins above so many tokens of input. */
  readonly aboveInputTokens: number;
}

/** Factors of a step in millionths; default: 1, and for cached input that of input. */
export type StepFactors = Readonly<Partial<Record<RateName, bigint>>>;

/** The rates of a step; `product` multiplies a rate by millionths. */
export function stepOf(
  rates: Rates,
  { tokens, factors }: { readonly tokens: number; readonly factors: StepFactors },
  product: (rate: bigint, factor: bigint) => bigint,
): StepRates {
  const { input = factorUnit, output = factorUnit } = factors;
  const { cachedInput = input, cacheWrite = input } = factors;
  const all = { input, cachedInput, cacheWrite, output };
  return {
    aboveInputTokens: tokens,
    ...mapRates(rates, (rate, name) => product(rate, all[name])),
  };
}

/** What a use of a tool costs that the platform runs. */
export interface ToolPrice {
  readonly picoUsd: bigint;
  /** So many uses are reserved for each call; undefined where it is left to the platform's kind. */
  readonly usesMax?: number | undefined;
}

/** Amounts that do not depend on tokens, in pico-USD: terms of a price do not change them. */
export interface FlatPrice {
  /** Of each billed request. */
  readonly perRequestPicoUsd?: bigint | undefined;
  /** By the word that the usage of the platform has for a tool. */
  readonly toolUses?: Readonly<Record<string, ToolPrice>> | undefined;
}

/** What a model's calls cost. */
export interface ModelRates extends Rates {
  /** The shortest first, and never empty. */
  readonly steps?: readonly StepRates[];
  /** Absent of nearly all, whose calls are then not looked at for them. */
  readonly flat?: FlatPrice | undefined;
}

/** Rates from a day on. A platform that changes its prices gets one more of these. */
export interface DatedRates extends ModelRates, PriceTerms {
  /** The UTC day, `YYYY-MM-DD`, from whose start they are in force; undefined: always. */
  readonly fromDay?: string | undefined;
  /** The UTC day on which they were last read at their source; undefined as the source is. */
  readonly readDay?: string | undefined;
  /** Where they were read; undefined for prices of the configuration. */
  readonly source?: string | undefined;
}
