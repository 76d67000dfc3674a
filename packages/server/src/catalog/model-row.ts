import assert from 'node:assert/strict';
import { defaultImageTokensMax, type ModelConfig } from '../domain/model.ts';
import type { PlatformKind } from '../domain/platform.ts';
import type { Factors } from '../domain/price-terms.ts';
import type { DatedRates, Rates, StepRates } from '../domain/rates.ts';
import { parseDecimal, parseUsdPerMillion } from '../lib/money.ts';
import type { ShippedModel } from './shipped-model.ts';

/** A model as the files in `models` write it down, for people who compare it with a price list. */
export interface ModelRow
  extends Pick<ModelConfig, 'id' | 'kind' | 'structuredOutput' | 'images' | 'speaks' | 'retires'> {
  /** Of embeddings: of each text. */
  readonly contextTokens: number;
  /** Missing where it is not known. */
  readonly maxOutputTokens?: number;
  /** Decimal factors of all prices by region, as responses and hosts name it. */
  readonly regions?: Readonly<Record<string, string>>;
  /** The oldest first. */
  readonly prices: readonly [PriceRow, ...PriceRow[]];
}

/** Decimal USD per million tokens. */
export interface RateRow {
  readonly input: string;
  /** Input that the platform had in its cache. */
  readonly cached: string;
  /** Input that the platform puts into its cache. */
  readonly write: string;
  /** The same for an hour; missing where that cannot be asked for. */
  readonly write1h?: string;
  readonly output: string;
}

/** Rates, since when they are known, and where they were read. */
export interface PriceRow extends RateRow {
  /** A UTC day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly source: string;
  readonly longContext?: LongContext;
}

/** What the whole call costs when its input has so many tokens or more. */
export interface LongContext extends RateRow {
  readonly fromInputTokens: number;
}

/** The UTC day on which every row was last compared with price lists: `npm run check:prices`. */
const pricesReadOn = '2026-11-27';

/** The rows of a kind of platform as the catalog takes them. */
export function modelsOfRows(
  platformKind: PlatformKind,
  rows: readonly ModelRow[],
): readonly ShippedModel[] {
  return rows.map(({ prices, regions, ...row }) => ({
    ...row,
    platformKind,
    upstreamModel: row.id,
    imageTokensMax: defaultImageTokensMax,
    prices: prices.map((price) => ({
      ...datedRates(price),
      ...(regions && { regions: factorsOf(regions) }),
    })),
  }));
}

function datedRates(price: PriceRow): DatedRates {
  const { from, source, longContext, ...rates } = price;
  return {
    fromDay: from,
    readDay: pricesReadOn,
    source,
    ...ratesOf(rates),
    ...(longContext && { steps: [stepRatesOf(longContext)] }),
  };
}

/** The step at which they begin. */
export function stepRatesOf(longContext: LongContext): StepRates {
  return { aboveInputTokens: longContext.fromInputTokens - 1, ...ratesOf(longContext) };
}

function factorsOf(decimals: Readonly<Record<string, string>>): Factors {
  return Object.fromEntries(
    Object.entries(decimals).map(([word, text]) => {
      const millionths = parseDecimal(text, 6);
      assert(millionths !== undefined, `${text} must be a decimal of at most six places`);
      return [word, millionths];
    }),
  );
}

/** Amounts as integers. */
export function ratesOf({ input, cached, write, write1h, output }: RateRow): Rates {
  return {
    inputPicoUsd: picoUsd(input),
    cachedInputPicoUsd: picoUsd(cached),
    cacheWriteInputPicoUsd: picoUsd(write),
    ...(write1h !== undefined && { cacheWrite1hInputPicoUsd: picoUsd(write1h) }),
    outputPicoUsd: picoUsd(output),
  };
}

function picoUsd(usdPerMillion: string): bigint {
  const rate = parseUsdPerMillion(usdPerMillion);
  assert(rate !== undefined, `${usdPerMillion} must be a decimal of at most six places`);
  return rate;
}
