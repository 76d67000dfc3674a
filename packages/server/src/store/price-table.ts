import { table } from './table.ts';

/** A price as calls were booked with it: pico-USD per token, and what a large input costs. */
export interface StoredPrice {
  readonly version: string;
  readonly model: string;
  readonly input: bigint;
  readonly cachedInput: bigint;
  readonly cacheWriteInput: bigint;
  /** Of what is kept in the cache for an hour; nothing where that cannot be asked for. */
  readonly cacheWrite1hInput: bigint | undefined;
  readonly output: bigint;
  /** The first step: from so many tokens of input on; nothing where there is none. */
  readonly longContextFrom: number | undefined;
  readonly longContextInput: bigint | undefined;
  readonly longContextCachedInput: bigint | undefined;
  readonly longContextCacheWriteInput: bigint | undefined;
  readonly longContextCacheWrite1hInput: bigint | undefined;
  readonly longContextOutput: bigint | undefined;
  /** All steps after the first, as JSON; nothing where there are none. */
  readonly furtherSteps: string | undefined;
  /** The tier that it is of; nothing for the standard one, and where requests name none. */
  readonly tier: string | undefined;
  /** The region that it is of; nothing where requests name none. */
  readonly region: string | undefined;
  /** Factors in millionths by tier and by region, as JSON; nothing where there are none. */
  readonly tiers: string | undefined;
  readonly regions: string | undefined;
  /** Of each billed request; nothing where there is none. */
  readonly perRequest: bigint | undefined;
  /** Of each use, by tool, as JSON; nothing where no tool has a price. */
  readonly toolUses: string | undefined;
  /** Of parts of input and output, and of those of the first step, as JSON; nothing of most. */
  readonly parts: string | undefined;
  readonly longContextParts: string | undefined;
}

/** Prices. */
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

/** The prices of a model that were last put in force, in words. */
export interface StoredBookEntry {
  readonly model: string;
  readonly prices: string;
}

/** The price book: what changes there is a line of the audit log. */
export const priceBook = table<StoredBookEntry>('price_book', ['model'], (row, as) => ({
  model: as.text(row.model),
  prices: as.text(row.prices),
}));
