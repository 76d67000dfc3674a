import assert from 'node:assert/strict';
import { defaultImageTokensMax, type ModelConfig } from '../domain/model.ts';
import type { PlatformKind } from '../domain/platform-kinds/platform-kinds.ts';
import { type Factors, factorUnit } from '../domain/price-terms.ts';
import { type ModelRates, type StepFactors, stepOf } from '../domain/rates.ts';
import { parseDecimal, parseUsdPerMillion } from '../lib/money.ts';
import type { ShippedModel } from './shipped-model.ts';

/** Uses the configuration's keys, for comparison with a vendor's page. */
export interface ModelRow
  extends Pick<ModelConfig, 'id' | 'kind' | 'structuredOutput' | 'images' | 'speaks' | 'retires'> {
  /** For embeddings: tokens per text. */
  readonly contextTokens: number;
  readonly maxOutputTokens?: number;
  /** Applies if a request has no output limit; missing for models that do not reason. */
  readonly defaultMaxTokens?: number;
  /** Oldest first. */
  readonly prices: readonly [PriceRow, ...PriceRow[]];
}

/** Decimal USD per million tokens, in the configuration's keys. */
export interface RateRow {
  readonly inputUsdPerMillion: string;
  readonly cachedInputUsdPerMillion?: string;
  /** By lifetime. The next two keys are for an unknown lifetime. */
  readonly cacheWriteUsdPerMillion?: Readonly<Partial<Record<'5m' | '30m' | '1h' | '12h', string>>>;
  readonly cacheWriteInputUsdPerMillion?: string;
  readonly cacheWrite1hInputUsdPerMillion?: string;
  readonly outputUsdPerMillion: string;
  readonly aboveInputTokens?: readonly StepRow[];
  readonly tiers?: Decimals;
  readonly regions?: Decimals;
}

export interface StepRow {
  readonly tokens: number;
  readonly factors: Readonly<Partial<Record<keyof StepFactors, string>>>;
}

type Decimals = Readonly<Record<string, string>>;

export interface PriceRow extends RateRow {
  /** A UTC day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly source: string;
}

/** The UTC day of the last comparison with price lists: `npm run check:prices`. */
const pricesReadOn = '2026-11-27';

export function modelsOfRows(
  platformKind: PlatformKind,
  rows: readonly ModelRow[],
): readonly ShippedModel[] {
  return rows.map(({ prices, ...row }) => ({
    ...row,
    platformKind,
    upstreamModel: row.id,
    imageTokensMax: defaultImageTokensMax,
    prices: prices.map(({ from, source, tiers, regions, ...rates }) => ({
      ...{ fromDay: from, readDay: pricesReadOn, source, ...ratesOf(rates) },
      ...(tiers && { tiers: factorsOf(tiers) }),
      ...(regions && { regions: factorsOf(regions) }),
    })),
  }));
}

export function ratesOf(row: RateRow): ModelRates {
  const { inputUsdPerMillion: input, cacheWriteUsdPerMillion: writes = {} } = row;
  const write = writes['5m'] ?? writes['30m'] ?? row.cacheWriteInputUsdPerMillion;
  const writeForLong = writes['1h'] ?? writes['12h'] ?? row.cacheWrite1hInputUsdPerMillion;
  const rates = {
    inputPicoUsd: picoUsd(input),
    cachedInputPicoUsd: picoUsd(row.cachedInputUsdPerMillion ?? input),
    cacheWriteInputPicoUsd: picoUsd(write ?? input),
    ...(writeForLong !== undefined && { cacheWrite1hInputPicoUsd: picoUsd(writeForLong) }),
    outputPicoUsd: picoUsd(row.outputUsdPerMillion),
  };
  const steps = row.aboveInputTokens?.map(({ tokens, factors }) =>
    stepOf(rates, { tokens, factors: factorsOf(factors) }, product),
  );
  return { ...rates, ...(steps && { steps }) };
}

function factorsOf(decimals: Decimals): Factors {
  return Object.fromEntries(
    Object.entries(decimals).map(([word, text]) => {
      const millionths = parseDecimal(text, 6);
      assert(millionths !== undefined, `${text} must be a decimal with at most 6 decimals`);
      return [word, millionths];
    }),
  );
}

function product(rate: bigint, factor: bigint): bigint {
  assert((rate * factor) % factorUnit === 0n, 'a rate of a step must have at most 6 decimals');
  return (rate * factor) / factorUnit;
}

function picoUsd(usdPerMillion: string): bigint {
  const rate = parseUsdPerMillion(usdPerMillion);
  assert(rate !== undefined, `${usdPerMillion} must be a decimal with at most 6 decimals`);
  return rate;
}
