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

/** A part of the cache writes may have a lifetime of 1 hour. */
export type CountedUsage = Usage & {
  readonly cacheWrite1hInputTokens?: number | undefined;
  readonly toolUses?: ToolUses | undefined;
  readonly parts?: PartCounts | undefined;
};

/** Pico-USD, exact. Reasoning is part of the output. */
export function cost(usage: CountedUsage, modelRates: ModelRates): bigint {
  const { flat, steps } = modelRates;
  const rates = steps === undefined ? modelRates : ratesFor(modelRates, usage.inputTokens);
  const { parts } = usage;
  const { input, output } = parts === undefined ? noParts : partSums(parts);
  const cacheWrite = BigInt(usage.cacheWriteInputTokens);
  const cached = input === 0n ? BigInt(usage.cachedInputTokens) : cachedOutsideParts(input, usage);
  // If a platform counts more cached tokens than input, the cost must not become negative.
  const fresh = larger(BigInt(usage.inputTokens) - input - cached - cacheWrite, 0n);
  const whole = BigInt(usage.outputTokens);
  const written = output === 0n ? whole : larger(whole - output, 0n);
  const ofTokens =
    fresh * rates.inputPicoUsd +
    cached * rates.cachedInputPicoUsd +
    (cacheWrite === 0n ? 0n : writeCost(cacheWrite, usage, rates)) +
    written * rates.outputPicoUsd;
  const ofParts = parts === undefined ? 0n : partsCost(parts, rates);
  const ofAll = ofTokens + ofParts;
  return flat === undefined ? ofAll : ofAll + flatCost(flat, usage.toolUses);
}

/** A cached token of a part counts once, as that part. */
function cachedOutsideParts(ofParts: bigint, usage: CountedUsage): bigint {
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

/** A part without its own rate has the rate of other input or output. */
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

export function ratesFor(rates: ModelRates, inputTokens: number): Rates {
  const { steps } = rates;
  if (steps === undefined) return rates;
  return steps.findLast(({ aboveInputTokens }) => inputTokens > aboveInputTokens) ?? rates;
}

/** Covers every step that input up to `inputTokensMax` can reach. */
export function highestRates(rates: ModelRates, inputTokensMax: number): Rates {
  const { steps } = rates;
  if (steps === undefined) return rates;
  const reached = steps.filter(({ aboveInputTokens }) => inputTokensMax > aboveInputTokens);
  return reached.reduce<Rates>(higherRates, rates);
}

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

export interface InputKinds {
  /**
   * The cached input with a longer lifetime: as reported by the platform, all, or some. Undefined:
   * none.
   */
  readonly cachesForLong?: 'stated' | 'all' | 'some' | undefined;
  readonly hasImages?: true;
}

/** An upper bound for every way that the platform counts the token. */
export function highestInputRate(
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

export function highestOutputRate({ outputPicoUsd, parts }: Rates): bigint {
  if (parts === undefined) return outputPicoUsd;
  return outputParts.reduce((rate, part) => larger(rate, parts[part] ?? 0n), outputPicoUsd);
}

/** Without a rate, platforms bill twice the input rate for 1 hour. */
export function hourRate({
  cacheWrite1hInputPicoUsd,
  cacheWriteInputPicoUsd,
  inputPicoUsd,
}: Rates): bigint {
  return cacheWrite1hInputPicoUsd ?? larger(cacheWriteInputPicoUsd, 2n * inputPicoUsd);
}
