import type { PlatformKind } from '../../packages/server/src/domain/platform-kinds/platform-kinds.ts';

/** The classes of tokens. */
export type Part = 'input' | 'cached' | 'written' | 'writtenForHour' | 'output';

/** Pico-USD a token, and the price of a token in a call with more input than each step. */
export interface Rate {
  readonly base: bigint;
  /** The smallest first. */
  readonly steps: readonly { readonly above: number; readonly rate: bigint }[];
}

/** A source's price; rates that the source lacks are missing. */
export type SourcePrice = Readonly<Partial<Record<Part, Rate>>> & {
  readonly input: Rate;
  /** The UTC day on which the vendor ends the model, where the source has one. */
  readonly retires?: string;
};

/** A price list by other authors. */
export interface PriceSource {
  readonly name: string;
  /** The price of a model on a UTC day; undefined for a missing model. */
  find(kind: PlatformKind, id: string, day: string): SourcePrice | undefined;
}

/** Counts of one call; `input` includes the cached and the written tokens. */
export interface Counts {
  readonly input: number;
  readonly cached: number;
  /** For minutes and for an hour. */
  readonly written: number;
  readonly writtenForHour: number;
  readonly output: number;
}

/**
 * The cost of a call by a source. It is independent of the product's arithmetic, which it checks.
 * Cached input without a rate costs as much as input. Output without a rate is free, as for
 * embeddings.
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
 * A decimal, for example `2.5e-06`, as a whole number of its 10^-places. Throws if digits would be
 * lost: a rounded rate is not compared.
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
