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

/** What a use of a tool costs that the platform runs. */
export interface ToolPrice {
  readonly picoUsd: bigint;
  /** So many uses are reserved for each call; undefined where it is left to the platform's kind. */
  readonly usesMax?: number | undefined;
}

/** Amounts that do not depend on tokens, in pico-USD: terms of a price do not change them. */
export interface FlatPrice {
  /** Of each billed request. */
  readonly perRequestPicoUsd?: bigint | undefined;
  /** By the word that the usage of the platform has for a tool. */
  readonly toolUses?: Readonly<Record<string, ToolPrice>> | undefined;
}

/** What a model's calls cost. */
export interface ModelRates extends Rates {
  /** The shortest first, and never empty. */
  readonly steps?: readonly StepRates[];
  /** Absent of nearly all, whose calls are then not looked at for them. */
  readonly flat?: FlatPrice | undefined;
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
