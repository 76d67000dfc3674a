import assert from 'node:assert/strict';
import { defaultImageTokensMax, type ModelConfig } from '../domain/model.ts';
import type { PlatformKind } from '../domain/platform.ts';
import type { Rates } from '../domain/rates.ts';
import { parseUsdPerMillion } from '../lib/money.ts';
import type { DatedRates, ShippedModel } from './shipped-model.ts';

/** A model as the files in `models` write it down, for people who compare it with a price list. */
export interface ModelRow
  extends Pick<
    ModelConfig,
    'id' | 'kind' | 'structuredOutput' | 'images' | 'speaks' | 'retires'
  > {
  /** Of embeddings: of each text. */
  readonly contextTokens: number;
  /** Missing where it is not known. */
  readonly maxOutputTokens?: number;
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
  /** What the whole call costs when its input has so many tokens or more. */
  readonly longContext?: RateRow & { readonly fromInputTokens: number };
}

/** The UTC day on which every row was last compared with price lists: `npm run check:prices`. */
const pricesReadOn = '2026-11-27';

/** The rows of a kind of platform as the catalog takes them. */
export function modelsOfRows(
  platformKind: PlatformKind,
  rows: readonly ModelRow[],
): readonly ShippedModel[] {
  return rows.map(({ prices, ...row }) => ({
    ...row,
    platformKind,
    upstreamModel: row.id,
    imageTokensMax: defaultImageTokensMax,
    prices: prices.map(datedRates),
  }));
}

function datedRates({ from, source, longContext, ...rates }: PriceRow): DatedRates {
  return {
    fromDay: from,
    readDay: pricesReadOn,
    source,
    ...ratesOf(rates),
    ...(longContext && {
      longContext: { fromInputTokens: longContext.fromInputTokens, ...ratesOf(longContext) },
    }),
  };
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
  assert(rate !== undefined, `${usdPerMillion} is no decimal of at most six places`);
  return rate;
}
