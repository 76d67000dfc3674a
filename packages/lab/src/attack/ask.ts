import type { ChatRequest } from '@model-gateway/sdk';
import type { OtherWords, Rejection } from '@model-gateway/simulator';

/** What a model of the attack costs, in pico-USD a token. */
export interface Rates {
  readonly inputPicoUsd: bigint;
  /** At which input is held: the dearest of its kinds. */
  readonly heldInputPicoUsd: bigint;
  readonly outputPicoUsd: bigint;
}

/** What the simulator's `sim-told` is told: see its README. */
export interface Told {
  readonly bills?: {
    readonly inputTokens?: number | 'normalized';
    readonly outputTokens?: number | 'all';
    readonly cachedInputTokens?: number;
    readonly cacheWriteInputTokens?: number;
  };
  /** A rejection with status 200, in a vendor's shape. */
  readonly rejects?: { readonly as: Rejection['shape']; readonly at: Rejection['at'] };
  /** A vendor's way to report counts, terms or a cost. */
  readonly reports?: OtherWords;
  readonly states?: 'absent' | Readonly<Record<'inputTokens' | 'outputTokens', number | string>>;
  /** What it says before that, and how. */
  readonly statesFirst?: Readonly<Record<'inputTokens' | 'outputTokens', number>> & {
    readonly how: 'start' | 'before' | 'object' | 'names';
  };
  readonly delayMs?: number;
  readonly handoverDelayMs?: number;
  readonly fault?: 'reset' | 'reset-mid-body' | 'half';
  /** Whether the second of two equal requests is spared the fault. */
  readonly isFaultyOnce?: boolean;
  readonly text?: string;
  /** How it comes where it is asked for as a stream. */
  readonly stream?: {
    readonly gapMs?: number;
    readonly counts?: 'last';
    readonly stop?: { readonly how: 'break' | 'error' | 'end'; readonly after: number };
  };
}

/** One call of the attack. */
export interface Ask {
  /** Its idempotency key as well, and its name in the platform's bill. */
  readonly label: string;
  readonly request: ChatRequest;
  /** The most that it can cost, by the rule of `docs/ledger.md`. */
  readonly mostPicoUsd: bigint;
}

/** What a platform may put in front of a text, in tokens. */
export const preambleTokens = 1_024;

/** Output tokens of an ordinary call of the attack. */
export const ordinaryTokens = 4_000;

/**
 * A call that bills all that it may: as many tokens of input as its body can have, and every token
 * of output that it asks for. Unless `told` says else, its cost is its hold to the last pico-USD.
 */
export function askInFull(parts: {
  readonly label: string;
  readonly model: string;
  readonly rates: Rates;
  readonly maxTokens?: number;
  readonly told?: Told;
  /** What the model reads besides its orders. */
  readonly text?: string;
}): Ask {
  const { label, model, rates, maxTokens = ordinaryTokens, told = {} } = parts;
  const system = parts.text === undefined ? [] : [{ role: 'system', content: parts.text } as const];
  // The number stands in the body that it is made of: it is put right until it is right.
  let inputTokens = preambleTokens;
  for (;;) {
    const bills = { inputTokens, outputTokens: 'all', ...told.bills } as const;
    const order = { label, ...told, bills };
    const messages = [...system, { role: 'user', content: JSON.stringify(order) } as const];
    const request = { model, messages, maxTokens };
    const bound = Buffer.byteLength(JSON.stringify(request)) + preambleTokens;
    if (bound === inputTokens || told.bills?.inputTokens !== undefined) {
      const inputTokensMost = bound + grownBytes(parts.text ?? '');
      return { label, request, mostPicoUsd: mostOf(inputTokensMost, maxTokens, rates) };
    }
    inputTokens = bound;
  }
}

/** By how many bytes the longer of a text's composed forms is longer than it. */
function grownBytes(text: string): number {
  const forms = [text, text.normalize('NFC'), text.normalize('NFKC')];
  return Math.max(...forms.map((form) => Buffer.byteLength(form))) - Buffer.byteLength(text);
}

/** What so many tokens cost at most. */
export function mostOf(inputTokens: number, outputTokens: number, rates: Rates): bigint {
  const { heldInputPicoUsd, outputPicoUsd } = rates;
  return BigInt(inputTokens) * heldInputPicoUsd + BigInt(outputTokens) * outputPicoUsd;
}

/** Most models write no more at once. */
const outputTokensMax = 16_384;

/** The largest call whose most fits into what is left; undefined when none does. */
export function largestThatFits(
  parts: Omit<Parameters<typeof askInFull>[0], 'maxTokens'>,
  leftPicoUsd: bigint,
): Ask | undefined {
  const { outputPicoUsd } = parts.rates;
  const inputPicoUsd = askInFull({ ...parts, maxTokens: outputTokensMax }).mostPicoUsd;
  const forOutput = leftPicoUsd - (inputPicoUsd - BigInt(outputTokensMax) * outputPicoUsd);
  // A shorter number leaves a shorter body: one more token may fit than was reckoned with it.
  const tokens = Math.min(Number(forOutput / outputPicoUsd) + 1, outputTokensMax);
  const asks = [tokens, tokens - 1, 1]
    .filter((maxTokens) => maxTokens >= 1)
    .map((maxTokens) => askInFull({ ...parts, maxTokens }));
  return asks.find(({ mostPicoUsd }) => mostPicoUsd <= leftPicoUsd);
}
