import type { Usage } from '@model-gateway/contract';
import {
  inputParts,
  type ModelRates,
  outputParts,
  type PartCounts,
  type Rates,
  type TokenPart,
  tokenParts,
} from '../domain/rates.ts';
import { larger, smaller } from '../lib/money.ts';
import { flatCost, type ToolUses } from './flat-price.ts';

/** Counts that are priced; of what was written to the cache a part may be kept for an hour. */
export type CountedUsage = Usage & {
  readonly cacheWrite1hInputTokens?: number | undefined;
  readonly toolUses?: ToolUses | undefined;
  /** Parts that have their own prices. */
  readonly parts?: PartCounts | undefined;
};

/** What a billed request costs in pico-USD, exactly. Reasoning is part of the output. */
export function cost(usage: CountedUsage, modelRates: ModelRates): bigint {
  const rates = ratesFor(modelRates, usage.inputTokens);
  const { parts } = usage;
  const { input, output } = parts === undefined ? noParts : partSums(parts);
  const cacheWrite = BigInt(usage.cacheWriteInputTokens);
  const cached = input === 0n ? BigInt(usage.cachedInputTokens) : cachedBeside(input, usage);
  // A platform that counts more cached tokens than input must not make a call cheaper than free.
  const fresh = larger(BigInt(usage.inputTokens) - input - cached - cacheWrite, 0n);
  const whole = BigInt(usage.outputTokens);
  const written = output === 0n ? whole : larger(whole - output, 0n);
  const ofTokens =
    fresh * rates.inputPicoUsd +
    cached * rates.cachedInputPicoUsd +
    writeCost(cacheWrite, usage, rates) +
    written * rates.outputPicoUsd;
  const ofParts = parts === undefined ? 0n : partsCost(parts, rates);
  const { flat } = modelRates;
  const ofAll = ofTokens + ofParts;
  return flat === undefined ? ofAll : ofAll + flatCost(flat, usage.toolUses);
}

/** A token that is cached and of a part is counted once, as of the part. */
function cachedBeside(ofParts: bigint, usage: CountedUsage): bigint {
  const cached = BigInt(usage.cachedInputTokens);
  const rest = BigInt(usage.inputTokens - usage.cacheWriteInputTokens) - ofParts;
  return smaller(cached, larger(rest, 0n));
}

const noParts = { input: 0n, output: 0n } as const;

function partSums(parts: PartCounts) {
  const sumOf = (names: readonly TokenPart[]) => {
    return names.reduce((sum, part) => sum + BigInt(parts[part] ?? 0), 0n);
  };
  return { input: sumOf(inputParts), output: sumOf(outputParts) };
}

function partsCost(parts: PartCounts, rates: Rates): bigint {
  return tokenParts.reduce((sum, part) => {
    return sum + BigInt(parts[part] ?? 0) * partRate(rates, part);
  }, 0n);
}

/** A part without its own rate costs what the rest of its whole costs. */
function partRate({ parts, inputPicoUsd, outputPicoUsd }: Rates, part: TokenPart): bigint {
  const isInput = part === 'imageInput' || part === 'audioInput';
  return parts?.[part] ?? (isInput ? inputPicoUsd : outputPicoUsd);
}

function writeCost(cacheWrite: bigint, usage: CountedUsage, rates: Rates): bigint {
  const { cacheWrite1hInputTokens } = usage;
  if (cacheWrite1hInputTokens === undefined) return cacheWrite * rates.cacheWriteInputPicoUsd;
  const forHour = smaller(BigInt(cacheWrite1hInputTokens), cacheWrite);
  return (cacheWrite - forHour) * rates.cacheWriteInputPicoUsd + forHour * hourRate(rates);
}

/** The rates of a call with so much input. */
export function ratesFor(rates: ModelRates, inputTokens: number): Rates {
  const { steps } = rates;
  if (steps === undefined) return rates;
  return steps.findLast(({ aboveInputTokens }) => inputTokens > aboveInputTokens) ?? rates;
}

/** For each kind of token the highest rate that a call with at most so much input can have. */
export function highestRates(rates: ModelRates, inputTokensMax: number): Rates {
  const { steps } = rates;
  if (steps === undefined) return rates;
  const reached = steps.filter(({ aboveInputTokens }) => inputTokensMax > aboveInputTokens);
  return reached.reduce<Rates>(higherRates, rates);
}

/** For each kind of token the higher of two rates. */
export function higherRates(one: Rates, other: Rates): Rates {
  const isForHour = (one.cacheWrite1hInputPicoUsd ?? other.cacheWrite1hInputPicoUsd) !== undefined;
  return {
    inputPicoUsd: larger(one.inputPicoUsd, other.inputPicoUsd),
    cachedInputPicoUsd: larger(one.cachedInputPicoUsd, other.cachedInputPicoUsd),
    cacheWriteInputPicoUsd: larger(one.cacheWriteInputPicoUsd, other.cacheWriteInputPicoUsd),
    ...(isForHour && { cacheWrite1hInputPicoUsd: larger(hourRate(one), hourRate(other)) }),
    outputPicoUsd: larger(one.outputPicoUsd, other.outputPicoUsd),
    ...((one.parts ?? other.parts) !== undefined && { parts: higherParts(one, other) }),
  };
}

function higherParts(one: Rates, other: Rates): NonNullable<Rates['parts']> {
  const parts: Partial<Record<TokenPart, bigint>> = {};
  for (const part of tokenParts)
    if ((one.parts?.[part] ?? other.parts?.[part]) !== undefined)
      parts[part] = larger(partRate(one, part), partRate(other, part));
  return parts;
}

/** What of a request can make its input more expensive. */
export interface InputKinds {
  /**
   * How much of what is cached is to be kept for the longer of two lifetimes: as much as the
   * platform states, all, or some of it. Undefined: nothing.
   */
  readonly cachesForLong?: 'stated' | 'all' | 'some' | undefined;
  readonly hasImages?: true;
}

/** What a token of input can cost at most, whichever way the platform counts it. */
export function dearestInputRate(
  rates: Rates,
  { cachesForLong, hasImages }: InputKinds = {},
): bigint {
  const write = rates.cacheWriteInputPicoUsd;
  const ofWrite = cachesForLong === undefined ? write : larger(write, hourRate(rates));
  const ofText = larger(rates.inputPicoUsd, larger(rates.cachedInputPicoUsd, ofWrite));
  if (rates.parts === undefined) return ofText;
  const { imageInput = 0n, audioInput = 0n } = rates.parts;
  return larger(ofText, larger(audioInput, hasImages === true ? imageInput : 0n));
}

/** The same of the output. */
export function dearestOutputRate({ outputPicoUsd, parts }: Rates): bigint {
  if (parts === undefined) return outputPicoUsd;
  return outputParts.reduce((rate, part) => larger(rate, parts[part] ?? 0n), outputPicoUsd);
}

/**
 * What a token costs that is kept for an hour: where it has no rate, platforms are known to bill
 * twice the input.
 */
export function hourRate({
  cacheWrite1hInputPicoUsd,
  cacheWriteInputPicoUsd,
  inputPicoUsd,
}: Rates): bigint {
  return cacheWrite1hInputPicoUsd ?? larger(cacheWriteInputPicoUsd, 2n * inputPicoUsd);
}
