/** What rates are multiplied by, in millionths, by the word of a tier or a region. */
export type Factors = Readonly<Record<string, bigint>>;

/** Millionths in 1. */
export const factorUnit = 1_000_000n;

/** The terms of a price that a platform can change. */
export interface PriceTerms {
  readonly tiers?: Factors | undefined;
  readonly regions?: Factors | undefined;
}

/** The terms that a price is of, and its rates in others. */
export interface TermsOfPrice {
  /** The tier that requests name; undefined: the standard one, or any. */
  readonly tier: string | undefined;
  /** The region that requests name, or that the platform's host is in; undefined: any. */
  readonly region: string | undefined;
  /** Whether responses state the region: then one that does not is in doubt. */
  readonly isRegionStated: boolean;
  readonly tiers: Factors;
  readonly regions: Factors;
}
