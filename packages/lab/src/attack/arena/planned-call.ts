import type { ChatRequest } from '@model-gateway/sdk';
import type { OtherWords, Rejection } from '@model-gateway/simulator';

/** Pico-USD per token. */
export interface Rates {
  readonly inputPicoUsd: bigint;
  /** The highest price of input, which determines the reservation. */
  readonly heldInputPicoUsd: bigint;
  readonly outputPicoUsd: bigint;
}

/** Instructions for the simulator's `sim-told`: see its README. */
export interface PlatformInstructions {
  readonly bills?: {
    readonly inputTokens?: number | 'normalized';
    readonly outputTokens?: number | 'all';
    readonly cachedInputTokens?: number;
    readonly cacheWriteInputTokens?: number;
  };
  readonly rejects?: { readonly as: Rejection['shape']; readonly at: Rejection['at'] };
  readonly reports?: OtherWords;
  readonly states?: 'absent' | Readonly<Record<'inputTokens' | 'outputTokens', number | string>>;
  readonly statesFirst?: Readonly<Record<'inputTokens' | 'outputTokens', number>> & {
    readonly how: 'start' | 'before' | 'object' | 'names';
  };
  readonly delayMs?: number;
  readonly handoverDelayMs?: number;
  readonly fault?: 'reset' | 'reset-mid-body' | 'half';
  /** Only the first of two equal requests has the fault. */
  readonly isFaultyOnce?: boolean;
  readonly text?: string;
  readonly stream?: {
    readonly gapMs?: number;
    readonly counts?: 'last';
    readonly stop?: { readonly how: 'break' | 'error' | 'end'; readonly after: number };
  };
}

export interface PlannedCall {
  /** Also its idempotency key and its name in the platform's bill. */
  readonly label: string;
  readonly request: ChatRequest;
  /** By the rule of `docs/ledger.md`. */
  readonly maximumCostPicoUsd: bigint;
}

/** Tokens that a platform may add to the text. */
export const preambleTokens = 1_024;

export const ordinaryTokens = 4_000;

/**
 * Bills the maximum input tokens of its body, and every requested output token. Unless
 * `instructions` differ, it costs its reservation to the last pico-USD.
 */
export function createFullCostCall(parts: {
  readonly label: string;
  readonly model: string;
  readonly rates: Rates;
  readonly maxTokens?: number;
  readonly instructions?: PlatformInstructions;
  readonly text?: string;
}): PlannedCall {
  const { label, model, rates, maxTokens = ordinaryTokens, instructions = {} } = parts;
  const system = parts.text === undefined ? [] : [{ role: 'system', content: parts.text } as const];
  // The body contains this number, which depends on the body: repeat until it is right.
  let inputTokens = preambleTokens;
  for (;;) {
    const bills = { inputTokens, outputTokens: 'all', ...instructions.bills } as const;
    const order = { label, ...instructions, bills };
    const messages = [...system, { role: 'user', content: JSON.stringify(order) } as const];
    const request = { model, messages, maxTokens };
    const bound = Buffer.byteLength(JSON.stringify(request)) + preambleTokens;
    if (bound === inputTokens || instructions.bills?.inputTokens !== undefined) {
      const inputTokensMost = bound + grownBytes(parts.text ?? '');
      return { label, request, maximumCostPicoUsd: mostOf(inputTokensMost, maxTokens, rates) };
    }
    inputTokens = bound;
  }
}

function grownBytes(text: string): number {
  const forms = [text, text.normalize('NFC'), text.normalize('NFKC')];
  return Math.max(...forms.map((form) => Buffer.byteLength(form))) - Buffer.byteLength(text);
}

export function mostOf(inputTokens: number, outputTokens: number, rates: Rates): bigint {
  const { heldInputPicoUsd, outputPicoUsd } = rates;
  return BigInt(inputTokens) * heldInputPicoUsd + BigInt(outputTokens) * outputPicoUsd;
}

const outputTokensMax = 16_384;

/** Undefined if no call fits. */
export function largestThatFits(
  parts: Omit<Parameters<typeof createFullCostCall>[0], 'maxTokens'>,
  remainingPicoUsd: bigint,
): PlannedCall | undefined {
  const { outputPicoUsd } = parts.rates;
  const inputPicoUsd = createFullCostCall({
    ...parts,
    maxTokens: outputTokensMax,
  }).maximumCostPicoUsd;
  const forOutput = remainingPicoUsd - (inputPicoUsd - BigInt(outputTokensMax) * outputPicoUsd);
  // A shorter number shortens the body, so one more token might fit.
  const tokens = Math.min(Number(forOutput / outputPicoUsd) + 1, outputTokensMax);
  const candidates = [tokens, tokens - 1, 1]
    .filter((maxTokens) => maxTokens >= 1)
    .map((maxTokens) => createFullCostCall({ ...parts, maxTokens }));
  return candidates.find(({ maximumCostPicoUsd }) => maximumCostPicoUsd <= remainingPicoUsd);
}
