import type { PlatformKind } from '../../packages/server/src/domain/platform-kinds/platform-kinds.ts';

/** What tokens are counted as. */
export type Part = 'input' | 'cached' | 'written' | 'writtenForHour' | 'output';

/** Pico-USD a token, and what a token costs in a call with more input than each step. */
export interface Rate {
  readonly base: bigint;
  /** The smallest first. */
  readonly steps: readonly { readonly above: number; readonly rate: bigint }[];
}

/** A price as a source has it: rates that it does not have are missing. */
export type SourcePrice = Readonly<Partial<Record<Part, Rate>>> & {
  readonly input: Rate;
  /** The UTC day on which the vendor ends the model, where the source has one. */
  readonly retires?: string;
};

/** A list of prices that others keep. */
export interface PriceSource {
  readonly name: string;
  /** The price of a model on a UTC day; undefined for a model that it does not have. */
  find(kind: PlatformKind, id: string, day: string): SourcePrice | undefined;
}

/** Counts of one call; `input` has what was cached and what was written. */
export interface Counts {
  readonly input: number;
  readonly cached: number;
  /** For minutes and for an hour. */
  readonly written: number;
  readonly writtenForHour: number;
  readonly output: number;
}

/**
 * What a call costs by a source. It is written apart from the product's arithmetic, which it
 * checks. Cached input without a rate costs what input costs; output without a rate is free, as
 * that of embeddings is.
 */
export function costAt(price: SourcePrice, counts: Counts): bigint {
  const fresh = counts.input - counts.cached - counts.written;
  const minutes = counts.written - counts.writtenForHour;
  const sum: readonly (readonly [number, Rate | undefined])[] = [
    [fresh, price.input],
    [counts.cached, price.cached ?? price.input],
    [minutes, price.written ?? price.input],
    [counts.writtenForHour, price.writtenForHour],
    [counts.output, price.output],
  ];
  return sum.reduce((total, [tokens, rate]) => total + BigInt(tokens) * at(rate, counts.input), 0n);
}

function at(rate: Rate | undefined, input: number): bigint {
  if (rate === undefined) return 0n;
  return rate.steps.findLast(({ above }) => input > above)?.rate ?? rate.base;
}

/**
 * A decimal such as `2.5e-06` as a whole number of its 10^-places. Throws where digits would be
 * lost: a rate that is rounded is not compared.
 */
export function wholeOf(decimal: string, places: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(decimal);
  if (match === null) throw new Error(`${decimal} is not a decimal`);
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  const zeros = places + Number(match[3] ?? '0') - fraction.length;
  const digits = BigInt((match[1] ?? '') + fraction);
  if (zeros >= 0) return digits * 10n ** BigInt(zeros);
  const divisor = 10n ** BigInt(-zeros);
  if (digits % divisor !== 0n) throw new Error(`${decimal} has more than ${places} places`);
  return digits / divisor;
}
