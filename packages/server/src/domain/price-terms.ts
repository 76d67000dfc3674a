/** In millionths, by the word of a tier or region. */
export type Factors = Readonly<Record<string, bigint>>;

export const factorUnit = 1_000_000n;

export interface PriceTerms {
  readonly tiers?: Factors | undefined;
  readonly regions?: Factors | undefined;
}

export interface TermsOfPrice {
  /** As requests name it; undefined: standard, or any. */
  readonly tier: string | undefined;
  /** From requests, or from the platform's host; undefined: any. */
  readonly region: string | undefined;
  /** Requests name the region, so a response without it is in doubt. */
  readonly isRegionRequested: boolean;
  readonly tiers: Factors;
  readonly regions: Factors;
}
