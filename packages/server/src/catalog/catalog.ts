import type { FallbackReason, ModelConfig } from '../domain/model.ts';
import type { RequestTier } from '../domain/platform.ts';
import type { TermsOfPrice } from '../domain/price-terms.ts';
import type { ModelRates } from '../domain/rates.ts';
import type { Wire } from '../domain/wire.ts';

/** The rates that a call is priced with. Immutable: other rates are another version. */
export interface Price extends ModelRates {
  /** Names model and rates; the same rates of the same model have the same version everywhere. */
  readonly version: string;
  /** True where no price is known, and the dearest ones stand in for it. ADR 0010. */
  readonly isDearest?: true;
  /** Set where the row has prices of other tiers or regions. */
  readonly terms?: TermsOfPrice;
  /** What calls reserve where a request leaves terms open; absent where that is the price. */
  readonly reserved?: ModelRates;
}

/** A model that calls can be routed to. */
export interface CatalogModel extends Omit<ModelConfig, 'prices'> {
  /** The price in force when the row was asked for; undefined for an unpriced model. */
  readonly price?: Price;
  /** Where the price was read; undefined for rows of the configuration. */
  readonly source?: string;
  /** The UTC day on which it was last read there. */
  readonly readDay?: string;
  /** The platform's tier, if a row that ships lacks its price; calls name the standard one. */
  readonly missingTier?: RequestTier;
  /** False for a model that no row names and that went to the default platform. */
  readonly isListed: boolean;
}

/** Every price of a model, from its first day to coming ones. */
export interface ModelPrices {
  readonly model: string;
  readonly prices: readonly DatedPrice[];
}

/** A price from a day on. */
export interface DatedPrice {
  /** The UTC day, `YYYY-MM-DD`, from whose start it is in force; undefined: always. */
  readonly fromDay: string | undefined;
  readonly price: Price;
}

/** A name for models, which are asked in this order. */
export interface Alias {
  readonly id: string;
  readonly models: readonly [CatalogModel, ...CatalogModel[]];
  /** Failures after which the next one is asked, where that is safe. */
  readonly fallbackOn: readonly FallbackReason[];
}

/** What is known of a model without a price. */
export type UnpricedModel = Pick<CatalogModel, 'platform' | 'upstreamModel' | 'maker'>;

/** Models and their prices. */
export interface Catalog {
  /**
   * The model of this id; the first one of an alias. One that no row names is unpriced, on the
   * default platform. A model that speaks `wire` has its path first.
   */
  model(id: string, wire?: Wire): CatalogModel;
  /** The alias of this id, its models likewise; undefined for the id of a model. */
  alias(id: string, wire?: Wire): Alias | undefined;
  /** Every listed model, by id. */
  list(): readonly CatalogModel[];
  /** Whether the vendor of a model serves it no longer today. */
  isRetired(model: Pick<CatalogModel, 'retires'>): boolean;
  /** What ships for the model that a row of the configuration asks its platform for. */
  shippedFor(model: CatalogModel): CatalogModel | undefined;
  /** Every alias as if it were a model: what all of its models take, at the most that they cost. */
  aliases(): readonly CatalogModel[];
  /**
   * For each kind of token the highest rate of its vendor's current models, for a model that has no
   * price: of all models where its vendor is not known. Undefined where none has a price.
   */
  dearest(model: UnpricedModel): Price | undefined;
  /** The prices of each listed model that has one, by id. */
  pricesByModel(): readonly ModelPrices[];
  /** Every price that calls can be booked with, past and coming ones too, for the store. */
  prices(): readonly (Price & { readonly model: string })[];
}

/** Whether there is a model that gives embeddings. */
export function givesEmbeddings(catalog: Pick<Catalog, 'list'>): boolean {
  return catalog.list().some(({ kind }) => kind === 'embeddings');
}
