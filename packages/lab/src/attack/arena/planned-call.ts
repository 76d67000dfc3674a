import type { ChatRequest } from '@model-gateway/sdk';
import type { OtherWords, Rejection } from '@model-gateway/simulator';

/** Pico-USD a token. */
export interface Rates {
  readonly inputPicoUsd: bigint;
  /** The dearest kind of input, at which input is held. */
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
  /** The second of two equal requests is spared the fault. */
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
 * Bills as many input tokens as its body can have, and every output token it asks for. Unless
 * `told` differs, it costs its hold to the last pico-USD.
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
  // The number stands in the body that it is made of: it is put right until it is right.
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

/** Undefined when no call fits. */
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
  // A shorter number leaves a shorter body: one more token may fit than was reckoned with it.
  const tokens = Math.min(Number(forOutput / outputPicoUsd) + 1, outputTokensMax);
  const candidates = [tokens, tokens - 1, 1]
    .filter((maxTokens) => maxTokens >= 1)
    .map((maxTokens) => createFullCostCall({ ...parts, maxTokens }));
  return candidates.find(({ maximumCostPicoUsd }) => maximumCostPicoUsd <= remainingPicoUsd);
}
