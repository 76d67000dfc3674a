import type { FallbackReason, ModelConfig } from '../domain/model.ts';
import type { RequestTier } from '../domain/platform.ts';
import type { TermsOfPrice } from '../domain/price-terms.ts';
import type { ModelRates } from '../domain/rates.ts';
import type { Wire } from '../domain/wire.ts';

/** Immutable: other rates have another version. */
export interface Price extends ModelRates {
  /**
   * Identifies model and rates. The same rates of the same model have the same version everywhere.
   */
  readonly version: string;
  /** The model has no known price, so the highest known price applies. ADR 0010. */
  readonly isHighestKnown?: true;
  /** Present if the row has prices of other tiers or regions. */
  readonly terms?: TermsOfPrice;
  /** The reserved rates if a request leaves terms open; absent if they equal the price. */
  readonly reserved?: ModelRates;
}

export interface CatalogModel extends Omit<ModelConfig, 'prices'> {
  /** The price in effect when the row was read; undefined: unpriced. */
  readonly price?: Price;
  /** Undefined for rows of the configuration. */
  readonly source?: string;
  /** UTC. */
  readonly readDay?: string;
  /**
   * The platform's tier, if a built-in row lacks its price. Calls then request the standard tier.
   */
  readonly missingTier?: RequestTier;
  /** False for a model without a row; it uses the default platform. */
  readonly isListed: boolean;
}

export interface ModelPrices {
  readonly model: string;
  readonly prices: readonly DatedPrice[];
}

export interface DatedPrice {
  /** A UTC day, `YYYY-MM-DD`; undefined: always. */
  readonly fromDay: string | undefined;
  readonly price: Price;
}

/** Its models are called in order. */
export interface Alias {
  readonly id: string;
  readonly models: readonly [CatalogModel, ...CatalogModel[]];
  /** Only these failures lead to the next model, if that is safe. */
  readonly fallbackOn: readonly FallbackReason[];
}

export type UnpricedModel = Pick<CatalogModel, 'platform' | 'upstreamModel' | 'maker'>;

export interface Catalog {
  /**
   * Returns the first model of an alias. A model without a row is unpriced, on the default
   * platform. A model that supports `wire` has its path first.
   */
  model(id: string, wire?: Wire): CatalogModel;
  alias(id: string, wire?: Wire): Alias | undefined;
  list(): readonly CatalogModel[];
  isRetired(model: Pick<CatalogModel, 'retires'>): boolean;
  /** The built-in row for the upstream model of a configured row. */
  shippedFor(model: CatalogModel): CatalogModel | undefined;
  /** Each has the limits that all its models meet, at the highest cost of any. */
  aliases(): readonly CatalogModel[];
  /**
   * For each kind of token, the highest rate of the vendor's current models. If the vendor is
   * unknown, of all models. Undefined if none has a price.
   */
  highestPrice(model: UnpricedModel): Price | undefined;
  pricesByModel(): readonly ModelPrices[];
  prices(): readonly (Price & { readonly model: string })[];
}

export function givesEmbeddings(catalog: Pick<Catalog, 'list'>): boolean {
  return catalog.list().some(({ kind }) => kind === 'embeddings');
}
