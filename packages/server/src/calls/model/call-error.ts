import type { ApiErrorCode, ErrorReason } from '@model-gateway/contract';

/** What a CallError may carry besides its code and its sentence. */
export interface ApiErrorDetails {
  /** The model's id as the caller sent it; on model errors. */
  readonly model?: string | undefined;
  /** The field of the body that is wrong, by its path. */
  readonly param?: string | undefined;
  /** The platform's id of the request, when it was reached. */
  readonly requestId?: string | undefined;
  /** The status of the platform's failure: API formats with more classes of errors show it. */
  readonly platformStatus?: number | undefined;
  /** Why the platform rejected the request, where it states a known reason. */
  readonly reason?: ErrorReason | undefined;
  /** After so many seconds it is worth another try. */
  readonly retryAfterSeconds?: number | undefined;
  /** Which budget has refused the call, as the header writes it. */
  readonly budgetScope?: string | undefined;
  /** False where the client must not try again although the code usually allows it. */
  readonly shouldRetry?: false | undefined;
  /** True where a retry without a key may take up what the call came to. */
  readonly isAdoptable?: true | undefined;
  /** What is booked for the call; undefined where nothing is. */
  readonly costUsd?: string | undefined;
  /** True for the outcome of an earlier or running request with the same key. */
  readonly isReplayed?: true | undefined;
  /** For the log alone. */
  readonly cause?: unknown;
}

/**
 * The server's one error class: a code of the contract, and a sentence for people that says what is
 * wrong and what to do. The cause is logged, never answered.
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly code: ApiErrorCode;
  readonly details: ApiErrorDetails;
  constructor(code: ApiErrorCode, message: string, details: ApiErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.details = details;
  }
}
