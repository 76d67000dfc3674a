import type { Carry, Cost, FinishReason, JsonValue, ToolCall } from '@model-gateway/contract';
import type { Tokens } from '../../books/rows.ts';
import type { CountedUsage } from '../../catalog/cost.ts';
import type { CarriedOutput } from '../../domain/carry.ts';
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
  /** Durably booked; undefined for nothing, or if not yet booked. */
  readonly billed?: BilledAmount | undefined;
}

export interface BilledAmount {
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
      readonly carried?: CarriedOutput | undefined;
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

export function failed(error: CallError, billed?: BilledAmount): FailedCall {
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
  // Embeddings are many numbers: only waiting requests receive them, and they are not stored.
  if (result.kind === 'done' && result.output.kind === 'embeddings') return 'unstored';
  if (code === 'OK' || code === 'TRUNCATED') return storesAnswers ? 'answered' : 'unstored';
  const isPlatformRefusal = ['BAD_REQUEST', 'AUTH', 'NOT_FOUND'].includes(code);
  return isPlatformRefusal ? 'forgotten' : 'failed';
}

/** Hour-long cache writes are included in the writes. */
export function usageForCaller(tokens: CountedUsage): Tokens {
  const { cacheWrite1hInputTokens, toolUses, parts, ...usage } = tokens;
  const isPlain = cacheWrite1hInputTokens === undefined && toolUses === undefined;
  return isPlain && parts === undefined ? tokens : usage;
}

export interface StreamEnding {
  readonly early: CallError | undefined;
  readonly error: CallError | undefined;
  /** If true, the result must not contradict the output already sent. */
  readonly hasBegun: boolean;
  readonly isFollowed: boolean;
  readonly isCallerDisconnected: boolean;
  /** The maximum over its callers. */
  readonly deliveredBytes: number;
  /** When the first output was sent; undefined for none. */
  readonly firstAt: number | undefined;
  /** Its user pays for delivered parts despite a bad end. */
  readonly isPaidAsDelivered: boolean;
}

interface CallEnding {
  readonly isKeyed: boolean;
  readonly code: string;
  readonly keyOutcome: KeyOutcome;
  readonly isAdoptable: boolean;
  readonly early: CallError | undefined;
  readonly followers: number;
  readonly stream: StreamEnding | undefined;
}

interface Receipt {
  /** Delivered completely, or collectable with the caller's own key. */
  readonly isReceived: boolean;
  /**
   * Stored only for a retry without a key, which then pays. False if a part was delivered and is
   * paid as such.
   */
  readonly isUnclaimed: boolean;
  /** For a stream without a good end; undefined for none. */
  readonly deliveredBytes: number | undefined;
}

/**
 * A user pays for a response that was delivered or stays collectable with its idempotency key. The
 * app pays for a response that no request can obtain any more.
 */
export function receiptOf(ending: CallEnding): Receipt {
  const { code, isKeyed, keyOutcome, isAdoptable, early, followers, stream } = ending;
  const isStored = isKeyed && keyOutcome === 'answered';
  const isFollowed = followers > 0 || stream?.isFollowed === true;
  const isObtained = early === undefined || isFollowed || isStored;
  // If the caller of a keyed stream has disconnected, either the whole response is collected later,
  // or nothing.
  const isLost = isKeyed && stream?.isCallerDisconnected === true && !isFollowed && !isStored;
  const deliveredBytes = stream === undefined || isLost ? undefined : paidBytesOf(stream, code);
  const isUnclaimed = isAdoptable && deliveredBytes === undefined;
  const isUsable = code === 'OK' || code === 'TRUNCATED';
  return { isReceived: isUsable && (isObtained || isUnclaimed), isUnclaimed, deliveredBytes };
}

function paidBytesOf(stream: StreamEnding, ownCode: string): number | undefined {
  if (stream.deliveredBytes === 0) return undefined;
  const isPaid = stream.isPaidAsDelivered || ownCode === 'BAD_OUTPUT';
  return isPaid ? stream.deliveredBytes : undefined;
}
