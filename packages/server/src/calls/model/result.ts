import type { Carry, Cost, FinishReason, JsonValue, ToolCall } from '@model-gateway/contract';
import type { Tokens } from '../../books/rows.ts';
import type { CountedUsage } from '../../catalog/cost.ts';
import type { Carried } from '../../domain/carry.ts';
import type { Vector } from '../../domain/vector.ts';
import { CallError } from './call-error.ts';

/** What a call came to. How it is told is the matter of those who were asked for it. */
export type CallResult = DoneCall | RelayedCall | FailedCall;

/** It was answered, and the answer was read. */
export interface DoneCall {
  readonly kind: 'done';
  readonly callId: string;
  /** As its caller names it. */
  readonly model: string;
  /** The model that has answered, where the caller named an alias. */
  readonly servedBy?: string | undefined;
  /** The platform's id of the request, where it says one. */
  readonly upstreamId: string | undefined;
  readonly output: Output;
  readonly usage: Tokens;
  /** Of the answered attempt. */
  readonly cost: Cost;
  /** True where it was made for an earlier or running request with the same key. */
  readonly isReplayed: boolean;
}

/** It was answered, and the answer is told as it stands, in its dialect’s words. */
export interface RelayedCall {
  readonly kind: 'relayed';
  readonly body: string;
  readonly isReplayed: boolean;
}

/** It was refused, or brought nothing that its caller can use. */
export interface FailedCall {
  readonly kind: 'failed';
  readonly error: CallError;
  /** What is booked for it, durably; undefined where nothing is, or not yet. */
  readonly billed?: Billed | undefined;
}

/** What an answer cost that its caller cannot use. */
export interface Billed {
  /** Undefined where the platform has stated no counts that can be believed. */
  readonly usage: Tokens | undefined;
  readonly cost: Cost;
}

/** What an operation has read in a model's answer. */
export type Output =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly finishReason: FinishReason;
      readonly carry?: Carry;
    }
  /** That it is an object says the schema, which the compiler does not read. */
  | { readonly kind: 'object'; readonly object: JsonValue }
  | {
      readonly kind: 'turn';
      /** Undefined where the model has asked for tools and said nothing. */
      readonly text: string | undefined;
      readonly toolCalls: readonly ToolCall[];
      readonly carry?: Carry;
    }
  | {
      readonly kind: 'embeddings';
      readonly vectors: readonly Vector[];
      /** Whether its caller wants each as the base64 of 32-bit floats. */
      readonly isBase64?: boolean;
    }
  /** What the model wrote, unjudged. */
  | {
      readonly kind: 'completion';
      readonly text: string;
      readonly toolCalls: readonly WrittenToolCall[];
      /** Output other than both, by the names of chat completions. */
      readonly carried?: Carried | undefined;
      readonly finish: CompletionFinish;
      /** The platform's word for its end, where the protocol has none for it. */
      readonly finishWord?: string;
    }
  /**
   * The platform's own answer, the model's name aside: JSON, or events, of which `last` are told
   * once the call is settled.
   */
  | { readonly kind: 'message'; readonly body: string; readonly last: string };

/** A tool call whose arguments are as the model wrote them, JSON or not. */
export interface WrittenToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Why a completion ended, in the words of its protocol. */
export type CompletionFinish = 'stop' | 'length' | 'tool_calls' | 'content_filter';

/** A result that is an error. */
export function failed(error: CallError, billed?: Billed): FailedCall {
  return { kind: 'failed', error, billed };
}

/** The result of an earlier or running request with the same key: nothing is charged for it. */
export function asReplayed(result: CallResult): CallResult {
  if (result.kind !== 'failed') return { ...result, isReplayed: true };
  const { code, message, details } = result.error;
  return failed(new CallError(code, message, { ...details, isReplayed: true }), result.billed);
}

/** `OK`, or the code of the error. */
export function codeOf(result: CallResult): string {
  return result.kind === 'failed' ? result.error.code : 'OK';
}

/** What becomes of a call's idempotency key. Source: ledger, section 6. */
export type KeyOutcome = 'answered' | 'unstored' | 'failed' | 'forgotten';

/** The same, of one that came to this. */
export function keyOutcomeOf(result: CallResult, storesAnswers: boolean): KeyOutcome {
  const code = codeOf(result);
  // Many numbers: they are told to those who wait for them, and not kept.
  if (isEmbeddings(result)) return 'unstored';
  if (code === 'OK' || code === 'TRUNCATED') return storesAnswers ? 'answered' : 'unstored';
  const isPlatformRefusal = ['BAD_REQUEST', 'AUTH', 'NOT_FOUND'].includes(code);
  return isPlatformRefusal ? 'forgotten' : 'failed';
}

/** Whether a call brought embeddings, which are not kept under its key. */
export function isEmbeddings(result: CallResult): boolean {
  return result.kind === 'done' && result.output.kind === 'embeddings';
}

/** Counts of tokens as callers are told them: what is kept for an hour was written, too. */
export function toldUsage(tokens: CountedUsage): Tokens {
  const { cacheWrite1hInputTokens, toolUses, parts, ...told } = tokens;
  const isPlain = cacheWrite1hInputTokens === undefined && toolUses === undefined;
  return isPlain && parts === undefined ? tokens : told;
}
