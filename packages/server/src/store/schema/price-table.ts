import { table } from './table.ts';

/** As used for booking: pico-USD per token. */
export interface StoredPrice {
  readonly version: string;
  readonly model: string;
  readonly input: bigint;
  readonly cachedInput: bigint;
  readonly cacheWriteInput: bigint;
  /** For one hour; undefined if it cannot be requested. */
  readonly cacheWrite1hInput: bigint | undefined;
  readonly output: bigint;
  /** The first step; undefined if there is none. */
  readonly longContextFrom: number | undefined;
  readonly longContextInput: bigint | undefined;
  readonly longContextCachedInput: bigint | undefined;
  readonly longContextCacheWriteInput: bigint | undefined;
  readonly longContextCacheWrite1hInput: bigint | undefined;
  readonly longContextOutput: bigint | undefined;
  /** All steps after the first, as JSON. */
  readonly furtherSteps: string | undefined;
  /** Undefined for the standard tier, and if requests name none. */
  readonly tier: string | undefined;
  /** Undefined if requests name none. */
  readonly region: string | undefined;
  /** In millionths, as JSON. */
  readonly tiers: string | undefined;
  readonly regions: string | undefined;
  readonly perRequest: bigint | undefined;
  readonly toolUses: string | undefined;
  /** As JSON; the second is for the first step. */
  readonly parts: string | undefined;
  readonly longContextParts: string | undefined;
}

export const prices = table<StoredPrice>('price', ['version'], (row, as) => ({
  version: as.text(row.version),
  model: as.text(row.model),
  input: as.big(row.input),
  cachedInput: as.big(row.cachedInput),
  cacheWriteInput: as.big(row.cacheWriteInput),
  cacheWrite1hInput: as.optionalBig(row.cacheWrite1hInput),
  output: as.big(row.output),
  longContextFrom: as.optionalInt(row.longContextFrom),
  longContextInput: as.optionalBig(row.longContextInput),
  longContextCachedInput: as.optionalBig(row.longContextCachedInput),
  longContextCacheWriteInput: as.optionalBig(row.longContextCacheWriteInput),
  longContextCacheWrite1hInput: as.optionalBig(row.longContextCacheWrite1hInput),
  longContextOutput: as.optionalBig(row.longContextOutput),
  furtherSteps: as.optionalText(row.furtherSteps),
  tier: as.optionalText(row.tier),
  region: as.optionalText(row.region),
  tiers: as.optionalText(row.tiers),
  regions: as.optionalText(row.regions),
  perRequest: as.optionalBig(row.perRequest),
  toolUses: as.optionalText(row.toolUses),
  parts: as.optionalText(row.parts),
  longContextParts: as.optionalText(row.longContextParts),
}));

export interface StoredBookEntry {
  readonly model: string;
  readonly prices: string;
}

export const priceBook = table<StoredBookEntry>('price_book', ['model'], (row, as) => ({
  model: as.text(row.model),
  prices: as.text(row.prices),
}));
