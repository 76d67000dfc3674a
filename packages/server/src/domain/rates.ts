import type { PriceTerms } from './price-terms.ts';

/** USD per million tokens as integers: pico-USD per token. */
export interface Rates {
  readonly inputPicoUsd: bigint;
  readonly cachedInputPicoUsd: bigint;
  readonly cacheWriteInputPicoUsd: bigint;
  /** Of what is cached for an hour; undefined where that cannot be asked for. */
  readonly cacheWrite1hInputPicoUsd?: bigint | undefined;
  readonly outputPicoUsd: bigint;
}

/** The rates of a call whose input is longer than a step: they are those of the whole call. */
export interface StepRates extends Rates {
  /** The step begins above so many tokens of input. */
  readonly aboveInputTokens: number;
}

/** What a model's tokens cost. */
export interface ModelRates extends Rates {
  /** The shortest first, and never empty. */
  readonly steps?: readonly StepRates[];
}

/** Rates from a day on. A platform that changes its prices gets one more of these. */
export interface DatedRates extends ModelRates, PriceTerms {
  /** The UTC day, `YYYY-MM-DD`, from whose start they are in force; undefined: always. */
  readonly fromDay?: string | undefined;
  /** The UTC day on which they were last read at their source; undefined as the source is. */
  readonly readDay?: string | undefined;
  /** Where they were read; undefined for prices of the configuration. */
  readonly source?: string | undefined;
}
