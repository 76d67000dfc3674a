import { factorUnit, type PriceTerms } from './price-terms.ts';

/** Parts of the input that may have their own price. */
export const inputParts = ['imageInput', 'audioInput'] as const;

export const outputParts = ['reasoning', 'imageOutput', 'audioOutput'] as const;

export const tokenParts = [...inputParts, ...outputParts] as const;
export type TokenPart = (typeof tokenParts)[number];

export type PartCounts = Readonly<Partial<Record<TokenPart, number | undefined>>>;

export type ModalityPart = Exclude<TokenPart, 'reasoning'>;

export type ModalityCounts = Readonly<Partial<Record<ModalityPart, number>>>;

/** USD per million tokens is pico-USD per token. */
export interface Rates {
  readonly inputPicoUsd: bigint;
  readonly cachedInputPicoUsd: bigint;
  readonly cacheWriteInputPicoUsd: bigint;
  readonly cacheWrite1hInputPicoUsd?: bigint | undefined;
  readonly outputPicoUsd: bigint;
  /** Replaces the input or output rate; absent if no part has its own rate. */
  readonly parts?: Readonly<Partial<Record<TokenPart, bigint>>> | undefined;
}

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

export function allRates(rates: Rates): readonly bigint[] {
  const { cacheWrite1hInputPicoUsd: forLong, parts = {} } = rates;
  return [
    ...[rates.inputPicoUsd, rates.cachedInputPicoUsd, rates.cacheWriteInputPicoUsd],
    ...(forLong === undefined ? [] : [forLong]),
    ...[rates.outputPicoUsd, ...Object.values(parts)],
  ];
}

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

/** Applies to the whole call, once its input is longer than the step. */
export interface StepRates extends Rates {
  readonly aboveInputTokens: number;
}

/** In millionths. Default: 1; for cached input, the factor of input. */
export type StepFactors = Readonly<Partial<Record<RateName, bigint>>>;

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

export interface ToolPrice {
  readonly picoUsd: bigint;
  /** Uses reserved for each call; undefined: determined by the platform's kind. */
  readonly usesMax?: number | undefined;
}

export interface FlatPrice {
  readonly perRequestPicoUsd?: bigint | undefined;
  readonly toolUses?: Readonly<Record<string, ToolPrice>> | undefined;
}

export interface ModelRates extends Rates {
  /** Shortest first, never empty. */
  readonly steps?: readonly StepRates[];
  readonly flat?: FlatPrice | undefined;
}

export interface DatedRates extends ModelRates, PriceTerms {
  /** UTC, `YYYY-MM-DD`, from its start; undefined: always. */
  readonly fromDay?: string | undefined;
  /** UTC day of the last check at the source; undefined if `source` is. */
  readonly readDay?: string | undefined;
  readonly source?: string | undefined;
}
