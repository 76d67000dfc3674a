import type { Carry, Cost, FinishReason, JsonValue, ToolCall } from '@model-gateway/contract';
import type { Tokens } from '../../books/rows.ts';
import type { CountedUsage } from '../../catalog/cost.ts';
import type { Carried } from '../../domain/carry.ts';
import type { Vector } from '../../domain/vector.ts';
import { CallError } from './call-error.ts';

export type CallResult = DoneCall | RelayedCall | FailedCall;

export interface DoneCall {
  readonly kind: 'done';
  readonly callId: string;
  readonly model: string;
  readonly servedBy?: string | undefined;
  readonly upstreamId: string | undefined;
  readonly output: Output;
  readonly usage: Tokens;
  readonly cost: Cost;
  readonly isReplayed: boolean;
}

export interface RelayedCall {
  readonly kind: 'relayed';
  readonly body: string;
  readonly isReplayed: boolean;
}

export interface FailedCall {
  readonly kind: 'failed';
  readonly error: CallError;
  /** Durably booked; undefined for nothing, or not yet. */
  readonly billed?: Billed | undefined;
}

export interface Billed {
  readonly usage: Tokens | undefined;
  readonly cost: Cost;
}

export type Output =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly finishReason: FinishReason;
      readonly carry?: Carry;
    }
  /** The schema guarantees an object; the compiler cannot see it. */
  | { readonly kind: 'object'; readonly object: JsonValue }
  | {
      readonly kind: 'turn';
      readonly text: string | undefined;
      readonly toolCalls: readonly ToolCall[];
      readonly carry?: Carry;
    }
  | {
      readonly kind: 'embeddings';
      readonly vectors: readonly Vector[];
      /** As base64 of 32-bit floats. */
      readonly isBase64?: boolean;
    }
  | {
      readonly kind: 'completion';
      readonly text: string;
      readonly toolCalls: readonly WrittenToolCall[];
      readonly carried?: Carried | undefined;
      readonly finish: CompletionFinish;
      readonly finishWord?: string;
    }
  /**
   * The platform's JSON or events, except the model's name; `last` is sent once the call is
   * settled.
   */
  | { readonly kind: 'message'; readonly body: string; readonly last: string };

/** Arguments as written, JSON or not. */
export interface WrittenToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export type CompletionFinish = 'stop' | 'length' | 'tool_calls' | 'content_filter';

export function failed(error: CallError, billed?: Billed): FailedCall {
  return { kind: 'failed', error, billed };
}

export function asReplayed(result: CallResult): CallResult {
  if (result.kind !== 'failed') return { ...result, isReplayed: true };
  const { code, message, details } = result.error;
  return failed(new CallError(code, message, { ...details, isReplayed: true }), result.billed);
}

export function codeOf(result: CallResult): string {
  return result.kind === 'failed' ? result.error.code : 'OK';
}

/** Ledger, section 6. */
export type KeyOutcome = 'answered' | 'unstored' | 'failed' | 'forgotten';

export function keyOutcomeOf(result: CallResult, storesAnswers: boolean): KeyOutcome {
  const code = codeOf(result);
  // Many numbers: they are told to those who wait for them, and not kept.
  if (isEmbeddings(result)) return 'unstored';
  if (code === 'OK' || code === 'TRUNCATED') return storesAnswers ? 'answered' : 'unstored';
  const isPlatformRefusal = ['BAD_REQUEST', 'AUTH', 'NOT_FOUND'].includes(code);
  return isPlatformRefusal ? 'forgotten' : 'failed';
}

/** Embeddings are not kept under a key. */
export function isEmbeddings(result: CallResult): boolean {
  return result.kind === 'done' && result.output.kind === 'embeddings';
}

/** Hour-long cache writes are included in the writes. */
export function toldUsage(tokens: CountedUsage): Tokens {
  const { cacheWrite1hInputTokens, toolUses, parts, ...told } = tokens;
  const isPlain = cacheWrite1hInputTokens === undefined && toolUses === undefined;
  return isPlain && parts === undefined ? tokens : told;
}
